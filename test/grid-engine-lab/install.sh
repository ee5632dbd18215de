#!/usr/bin/env bash
# Installs the Grid Engine of Debian or Ubuntu for test/grid-engine-lab, and starts none of it: the lab starts its own
# daemons.
set -euo pipefail
. "$(dirname "$0")/../install-packages.sh"

install_packages 'Grid Engine' gridengine-master gridengine-exec gridengine-client python3
