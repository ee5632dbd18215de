#!/usr/bin/env bash
# Installs the Grid Engine of Debian or Ubuntu for test/grid-engine-lab, and starts none of it: the lab starts its own
# daemons. Does nothing where everything is there already.
set -euo pipefail

packages=(gridengine-master gridengine-exec gridengine-client python3)

give_up() {
  echo "installing Grid Engine for the lab: $1" >&2
  exit 1
}

installed() { dpkg-query --show --showformat '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep --count '^installed$' || true; }

command -v apt-get >/dev/null || give_up "there is no apt-get. Install ${packages[*]} the way this system does it."
[ "$(installed)" != ${#packages[@]} ] || exit 0
[ "$(id -u)" = 0 ] || give_up 'only root may install packages. Run it with sudo.'

# Post-install scripts ask this program whether they may start a daemon; 101 forbids it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update --quiet=2
apt-get install --quiet=2 --yes --no-install-recommends "${packages[@]}" >/dev/null
