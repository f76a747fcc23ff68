"""Every look a screen is shown in. `SHAMANS_LOOK` chooses one for whatever a test starts; printed are their names."""

import os

LIGHT, DARK = 1, 2
SMALL, LARGE, PHONE = (1024, 700), (1920, 1080), (360, 720)
# The size of the screen, and what the player or the system prefers.
LOOKS = {
    "dark": (SMALL, {"scheme": DARK}),
    "light": (SMALL, {"scheme": LIGHT}),
    "dark-360": (PHONE, {"scheme": DARK}),
    "light-1920": (LARGE, {"scheme": LIGHT}),
    "contrast": (SMALL, {"scheme": LIGHT, "contrast": True}),
    "text200": (SMALL, {"scheme": DARK, "text_scale": 2}),
    "cs": (SMALL, {"scheme": DARK, "system_language": "cs"}),
    "de": (SMALL, {"scheme": LIGHT, "system_language": "de"}),
    "ru": (SMALL, {"scheme": DARK, "system_language": "ru"}),
    "ru-360": (PHONE, {"scheme": LIGHT, "system_language": "ru"}),
}

LOOK = os.environ.get("SHAMANS_LOOK")
SIZE, PREFERENCES = LOOKS[LOOK] if LOOK else ((1280, 800), {"scheme": DARK})
LANGUAGE = PREFERENCES.get("system_language", "en")

if __name__ == "__main__":
    print("\n".join(LOOKS))
