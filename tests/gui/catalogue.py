"""What a message is called in another language, from the catalogues themselves."""

import ast
import functools
import pathlib

FOLDER = pathlib.Path(__file__).parent.parent.parent / "data" / "po"


@functools.cache
def catalogue(language):
    """Every plain message; those with plural forms are not needed here."""
    found, field, entry = {}, None, {}
    for line in (FOLDER / f"{language}.po").read_text(encoding="utf-8").splitlines() + [""]:
        if line.startswith(("msgctxt ", "msgid ", "msgstr ")):
            field, line = line.split(" ", 1)
            entry[field] = ""
        if line.startswith('"') and field:
            entry[field] += ast.literal_eval(line)
        elif not line.strip():
            found[entry.get("msgid", "")] = entry.get("msgstr", "")
            field, entry = None, {}
    return found


def translated(language, message):
    """The message as that language has it."""
    if language == "en":
        return message
    text = catalogue(language).get(message)
    assert text, f"{language}.po does not have {message!r}"
    return text
