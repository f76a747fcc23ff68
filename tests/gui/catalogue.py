"""What is said in another language, in English again, from the catalogues themselves: so every test reads every language."""

import ast
import functools
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent.parent.parent / "data" / "po"
# What the window never says.
TERMINAL = re.compile(r"net/src/command/|net/src/command\.rs|net/src/main\.rs").match
PLACE = re.compile(r"\{(\w+)\}")
CARD = re.compile(r"(\w+)\s(\d+)")


def entries(language):
    """Every message, as its fields."""
    field, entry = None, {}
    for line in (FOLDER / f"{language}.po").read_text(encoding="utf-8").splitlines() + [""]:
        if line.startswith("#: "):
            entry.setdefault("places", []).append(line[3:])
        if line.startswith("msg"):
            field, line = line.split(" ", 1)
            entry[field] = ""
        if line.startswith('"') and field:
            # Nobody hears which letter is underlined.
            entry[field] += ast.literal_eval(line).replace("_", "")
        elif not line.strip():
            yield entry
            field, entry = None, {}


@functools.cache
def messages(language):
    """The plain messages, and what those with places to fill look like, those with most words first; each with its English.

    Where several are the same in that language, what stands alone on a button goes before what stands within a sentence.
    """
    plain, shapes = {}, []
    whole = [entry for entry in entries(language) if entry.get("msgid") and not all(map(TERMINAL, entry["places"]))]
    for entry in sorted(whole, key=lambda entry: (not entry["msgid"][0].isupper(), len(entry["msgid"]))):
        for field, text in entry.items():
            if not field.startswith("msgstr") or not text:
                continue
            forms = entry["msgid"], entry.get("msgid_plural", entry["msgid"])
            words = PLACE.split(text)[::2]
            if len(words) == 1:
                plain.setdefault(text, forms[0])
            elif any(word.strip(" \xa0:,.") for word in words):
                shapes.append((len("".join(words)), re.compile(shape(text)), forms))
    return plain, sorted(shapes, key=lambda one: -one[0])


def shape(text):
    """What a message looks like when its places are filled."""
    parts, seen = PLACE.split(text), set()
    # One with few words of its own would else take in a whole list.
    any_text = ".+?" if len("".join(parts[::2])) > 8 else "[^,]+?"
    for at in range(1, len(parts), 2):
        parts[at - 1], name = re.escape(parts[at - 1]), parts[at]
        what = r"\d+" if name == "n" else any_text
        parts[at] = f"(?P={name})" if name in seen else f"(?P<{name}>{what})"
        seen.add(name)
    return "".join([*parts[:-1], re.escape(parts[-1])])


@functools.cache
def whole(language, text):
    """The English of one message, or None if it is none."""
    plain, shapes = messages(language)
    if text in plain:
        return plain[text]
    if (card := CARD.fullmatch(text)) and card[1] in plain:
        return f"{plain[card[1]]} {card[2]}"
    for _, form, (one, many) in shapes:
        if found := form.fullmatch(text):
            filled = {name: english(language, value) for name, value in found.groupdict().items()}
            return PLACE.sub(lambda place: filled.get(place[1], place[0]), one if filled.get("n") == "1" else many)
    return None


@functools.cache
def english(language, text):
    """The same in English, or as it is if nobody translated it."""
    if language == "en":
        return text
    if (said := whole(language, text)) is not None:
        return said
    # What has become a sentence.
    if text.endswith("."):
        return english(language, text[:-1]) + "."
    # One that is said twice; or several, one after the other, of which some have the same mark within.
    half = len(text) // 2
    if half and text == f"{text[:half]} {text[:half]}":
        return " ".join([english(language, text[:half])] * 2)
    for between in ("\n", " · ", "; ", ", ", ": "):
        if between in text:
            return between.join(pieces(language, text.split(between), between))
    return text


def pieces(language, parts, between):
    """Each in English, the longest messages first."""
    while parts:
        many = (many for many in range(len(parts), 1, -1) if whole(language, between.join(parts[:many])) is not None)
        taken = next(many, 1)
        yield english(language, between.join(parts[:taken]))
        parts = parts[taken:]
