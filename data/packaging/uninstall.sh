#!/bin/sh
# Removes what install.sh installed, and nothing else: key, settings and records stay.
set -eu

case ${1-} in
  -*) echo "Usage: ./uninstall.sh [FOLDER]    (default: where it lies, or ~/.local)" >&2 && exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:-$HOME/.local}
[ $# -gt 0 ] || [ "$(basename "$0")" != shamans-uninstall ] || prefix=$(dirname "$here")
list=$prefix/share/doc/shamans/installed
[ -f "$list" ] || { echo "Shamans is not installed below $prefix." >&2 && exit 1; }

files=$(cat "$list")
cd "$prefix"
echo "$files" | while IFS= read -r file; do rm -f "$file"; done
# What the desktop keeps about types and programs: made anew, or removed where nothing is left to tell about.
if rmdir share/mime/packages 2>/dev/null; then
  rm -rf share/mime
elif command -v update-mime-database >/dev/null; then
  update-mime-database share/mime
fi
if ! ls share/applications/*.desktop >/dev/null 2>&1; then
  rm -f share/applications/mimeinfo.cache
elif command -v update-desktop-database >/dev/null; then
  update-desktop-database -q share/applications
fi
# Folders that nobody else uses, the deepest first.
echo "$files" | while IFS= read -r file; do
  folder=$(dirname "$file")
  while [ "$folder" != . ]; do
    echo "$folder"
    folder=$(dirname "$folder")
  done
done | sort -ru | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || true; done
echo "Shamans is removed from $prefix. Your key, settings and records are still there."
