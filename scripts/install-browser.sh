#!/usr/bin/env bash
# Chromium and its driver, for the tests of the report: installed where they are missing and can be.
set -euo pipefail
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "The report's tests need chromium and chromedriver: please install them." >&2
    exit 0 # the tests say so again, and fail in CI
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium chromium-driver >/dev/null
