#!/usr/bin/env bash
# The whole recipe: trajectories, SFT, GRPO, and the same measurement of the model before and after each. What an earlier
# call has finished is kept, and training goes on from its last checkpoint.
#
#   run.sh CONFIG MODEL OUT      CONFIG: cpu.yaml or gpu.yaml, or your own. MODEL: a name on the hub, a folder, or smollm2.
#
# python has to find what python/recipes/README.md names; the privgym command is PRIVGYM_BIN, or that on the PATH.
set -euo pipefail
config=$1 model=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
privgym=${PRIVGYM_BIN:-privgym}
mkdir -p "$out"

# stage OUT COMMAND…: runs the command unless what it makes is there.
stage() {
  [ -e "$1" ] || { echo "== $(basename "$1")"; "${@:2}"; }
}
measured() {
  stage "$out/measured-$1" python "$here/measure.py" "$config" "$2" "$out/measured-$1" here
  stage "$out/measured-$1.jsonl" "$privgym" score --out "$out/measured-$1.jsonl" "$out/measured-$1/rollouts.jsonl"
}

if [ "$model" = smollm2 ]; then
  stage "$out/base" python "$here/smollm2.py" "$out/base"
  model=$out/base
fi
rows=$(python -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["sft"]["rows"])' "$config")
stage "$out/sft-data" "$privgym" sft --out "$out/sft-data" --rows "$rows"
measured base "$model"
stage "$out/sft" python "$here/sft.py" "$config" "$model" "$out/sft" "$out/sft-data"
measured sft "$out/sft"
stage "$out/grpo" python "$here/grpo.py" "$config" "$out/sft" "$out/grpo" here
measured grpo "$out/grpo"
python "$here/report.py" "$out"
