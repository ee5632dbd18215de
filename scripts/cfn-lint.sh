#!/usr/bin/env bash
# Lints the templates of all stacks with cfn-lint. node_modules and dist must be there.
set -euo pipefail
cd "$(dirname "$0")/.."

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

tools="$(scripts/python-tools.sh)"
CDK_OUTDIR="$work/cdk.out" node --import tsx cdk/app.ts
# W3005: aws-cdk-lib writes out that a function needs its role, though a reference says so already.
"$tools/bin/cfn-lint" --ignore-checks W3005 -- "$work"/cdk.out/*.template.json
echo "cfn-lint has no findings in $(ls "$work"/cdk.out/*.template.json | wc -l) templates"
