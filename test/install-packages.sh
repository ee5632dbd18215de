# Sourced by the labs' install.sh: `install_packages NAME PACKAGE...` installs packages of Debian or Ubuntu and starts no
# daemon of theirs. Does nothing where everything is there already.

install_packages() {
  local name=$1
  shift
  command -v apt-get >/dev/null || give_up "$name" "there is no apt-get. Install $* the way this system does it."
  [ "$(count_installed "$@")" != $# ] || return 0
  [ "$(id -u)" = 0 ] || give_up "$name" 'only root may install packages. Run it with sudo.'

  # Post-install scripts ask this program whether they may start a daemon; 101 forbids it.
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap "rm -f $policy" EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi

  export DEBIAN_FRONTEND=noninteractive
  apt-get update --quiet=2
  apt-get install --quiet=2 --yes --no-install-recommends "$@" >/dev/null
}

count_installed() {
  dpkg-query --show --showformat '${db:Status-Status}\n' "$@" 2>/dev/null | grep --count '^installed$' || true
}

give_up() {
  echo "installing $1 for the lab: $2" >&2
  exit 1
}
