# shellcheck shell=bash
# What app/run and tests/run share: finding out what is missing and installing it. Sourced, never run; $top is the top of the tree.

# To build without a window, and with one.
build_packages=(gcc libc6-dev ca-certificates)
window_packages=("${build_packages[@]}" pkg-config libgtk-4-dev libadwaita-1-dev adwaita-icon-theme librsvg2-common)

say() { printf '%s\n' "$*" >&2; }

# Debian packages: nothing happens, and nobody is asked for a password, when all are there.
need_packages() {
  local name missing=() root=()
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "Missing: ${missing[*]}. This is no Debian system: install their equivalents, then start again."
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
      say "Missing: ${missing[*]}. Installing needs root. Let somebody who may run: apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    root=(sudo)
  fi
  say "Installing: ${missing[*]}"
  "${root[@]}" apt-get update -qq &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 </dev/null || {
    say "apt-get could not install: ${missing[*]}"
    return 1
  }
}

# A Rust toolchain, as rustup leaves it: on the PATH or in the home folder.
need_cargo() {
  command -v cargo >/dev/null || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  command -v cargo >/dev/null || {
    say "There is no cargo here. Install Rust $(rust_version) or newer (see rustup.rs), then start again."
    return 1
  }
}

rust_version() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$top/Cargo.toml"; }

# Where cargo builds: CARGO_TARGET_DIR and configuration are honoured.
target_folder() {
  cargo metadata --manifest-path "$top/Cargo.toml" --locked --no-deps --format-version 1 |
    sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}
