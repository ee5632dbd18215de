#!/usr/bin/env bash
# Installs the Slurm of Debian or Ubuntu for test/slurm-lab, and starts none of it: the lab starts its own daemons.
set -euo pipefail
. "$(dirname "$0")/../install-packages.sh"

install_packages Slurm munge slurmctld slurmd slurmdbd slurm-client mariadb-server
