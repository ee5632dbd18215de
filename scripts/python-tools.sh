#!/usr/bin/env bash
# Installs what tests and checks use of PyPI into a virtual environment of its own, and prints its folder. Does nothing
# where these versions are there already. Python 3.10 or newer.
set -euo pipefail

tools='moto[server]==5.2.5 cfn-lint==1.58.0'
folder="${TMPDIR:-/tmp}/esr-python-tools"
if [[ "$(cat "$folder/installed" 2>/dev/null)" != "$tools" ]]; then
  python3 -m venv --clear "$folder"
  # shellcheck disable=SC2086 -- one word a tool
  "$folder/bin/pip" --quiet --disable-pip-version-check install $tools >&2
  echo "$tools" >"$folder/installed"
fi
echo "$folder"
