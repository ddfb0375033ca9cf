package repro

// preamble is what each script begins with: the words that its steps are written in. A connection to the relay is a WebSocket client
// in the background that reads a growing file and writes another one.
const preamble = `
set -u
websocket=${WEBSOCKET:-websocat}
dir=$(mktemp -d) || exit 3
end() {
  for f in "$dir"/*.pid; do [ -e "$f" ] && kill $(cat "$f") 2>/dev/null; done
  rm -rf "$dir"
}
trap end EXIT
trap 'exit 130' INT TERM
for tool in curl base64 "${websocket%% *}"; do
  command -v "$tool" >/dev/null || { echo "this script needs $tool" >&2; exit 3; }
done

say() { printf '\n>> %s\n' "$1"; }
note() { printf '\n!! %s\n' "$1"; }
pause() { printf '\n(waits %s s, as the check did)\n' "$1"; sleep "$1"; }
step() {
  printf '\n== %s\n' "$1"
  [ -n "${STEP:-}" ] || return 0
  printf '   [Enter goes on, s and Enter is a shell] '
  read -r answer </dev/tty || return 0
  [ "$answer" = s ] && (cd "$dir" && http=$http relay=$relay "${SHELL:-sh}" </dev/tty)
}

# dial CHANNEL opens a connection to the relay.
dial() {
  : >"$dir/$1.in"; : >"$dir/$1.out"; echo 0 >"$dir/$1.seen"
  mkfifo "$dir/$1.fifo"
  $websocket "$relay" <"$dir/$1.fifo" >"$dir/$1.out" 2>"$dir/$1.err" &
  echo $! >"$dir/$1.pid"
  tail -n +1 -f "$dir/$1.in" >"$dir/$1.fifo" 2>/dev/null &
  echo $! >>"$dir/$1.pid"
}
hang_up() {
  show "$1"
  kill $(cat "$dir/$1.pid") 2>/dev/null
  rm -f "$dir/$1.pid"
}
# show CHANNEL prints what came since it was shown last.
show() {
  seen=$(cat "$dir/$1.seen")
  tail -n +$((seen + 1)) "$dir/$1.out" | sed "s/^/<< $1 /"
  wc -l <"$dir/$1.out" >"$dir/$1.seen"
}
# frame CHANNEL ANSWER TEXT sends a message and waits for a line that fits the regular expression, five seconds at most; a second
# if nothing answered it then.
frame() {
  say "$1 $3"
  printf '%s\n' "$3" >>"$dir/$1.in"
  tries=50
  [ -n "$2" ] || tries=10
  while [ "$tries" -gt 0 ]; do
    [ -n "$2" ] && tail -n +$(($(cat "$dir/$1.seen") + 1)) "$dir/$1.out" | grep -qE "$2" && break
    kill -0 $(head -n 1 "$dir/$1.pid") 2>/dev/null || { echo "<< $1 (the connection has ended)"; break; }
    sleep 0.1
    tries=$((tries - 1))
  done
  show "$1"
}
# body BASE64 is what the next request or bytes carry.
body() { printf '%s' "$1" | base64 -d >"$dir/body"; }
# request METHOD PATH [WORDS OF CURL] sends a request below the service URL and shows the answer.
request() {
  method=$1 path=$2; shift 2
  say "$method $path"
  [ "$method" = HEAD ] && set -- --head "$@"
  curl -sS --http1.1 --path-as-is --globoff --max-time 60 -X "$method" -H 'Expect:' -H 'Accept:' -D "$dir/head" -o "$dir/answer" "$@" "$http$path"
  tr -d '\r' <"$dir/head" | sed 's/^/<< /'
  head -c 4096 "$dir/answer" 2>/dev/null | tr -c '[:print:]\n' '.' | sed 's/^/<< /'
  echo
  rm -f "$dir/head" "$dir/answer"
}
# bare CHANNEL sends bytes to the port of the service, below HTTP.
bare() { curl -sS --max-time 5 "telnet://$host" <"$dir/body" 2>&1 | tr -c '[:print:]\n' '.' | sed "s/^/<< $1 /"; }
`
