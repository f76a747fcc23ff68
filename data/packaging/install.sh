#!/bin/sh
# Installs Shamans for one user: below ~/.local, or below the folder given. Needs no root and switches nothing on.
# Undo with `shamans-uninstall`, or with ./uninstall.sh and the same folder.
set -eu

case ${1-} in
  -*) echo "Usage: ./install.sh [FOLDER]    (default: ~/.local)" >&2 && exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$HOME/.local}"
prefix=$(cd "${1:-$HOME/.local}" && pwd)
list=$prefix/share/doc/shamans/installed

cd "$here"
mkdir -p "$prefix/share/doc/shamans"
# First the list, so that a half-done installation can be undone as well.
{
  find bin share -type f
  echo bin/shamans-uninstall
  echo share/doc/shamans/installed
} >"$list"
find bin share -type f | while IFS= read -r file; do
  mkdir -p "$prefix/$(dirname "$file")"
  # Into place at once: a program that runs keeps its old file.
  cp "$file" "$prefix/$file.new" && mv -f "$prefix/$file.new" "$prefix/$file"
done
cp uninstall.sh "$prefix/bin/shamans-uninstall.new" && mv -f "$prefix/bin/shamans-uninstall.new" "$prefix/bin/shamans-uninstall"

# The desktop starts it wherever PATH points.
entry=$prefix/share/applications/io.github.shamans_table.Shamans.desktop
awk -v program="$prefix/bin/shamans" '
  /^Exec=/ { gsub(/["\\$`]/, "\\\\&", program); sub(/^Exec=shamans/, ""); print "Exec=\"" program "\"" $0; next }
  { print }' "$entry" >"$entry.new" && mv -f "$entry.new" "$entry"

# What the desktop keeps about types and programs, where it has the tools for it.
! command -v update-mime-database >/dev/null || update-mime-database "$prefix/share/mime"
! command -v update-desktop-database >/dev/null || update-desktop-database -q "$prefix/share/applications"

echo "Shamans is installed below $prefix. To remove it: $prefix/bin/shamans-uninstall"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not in your PATH: start it from the desktop's menu, or as $prefix/bin/shamans" ;;
esac
command -v ldd >/dev/null || exit 0
missing=$(ldd "$prefix/bin/shamans" | awk '/not found/ { print $1 }' | sort -u | tr '\n' ' ')
[ -z "$missing" ] || echo "The window needs GTK 4.8 and libadwaita 1.2 or newer; missing here: $missing" >&2
