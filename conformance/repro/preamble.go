package repro

import "strings"

// preamble is what each script begins with: the words that its steps are written in. A connection to the relay is a WebSocket client
// in the background that reads a growing file and writes another one. What came is compared with what came then by facts, one a
// line, which this package reads in the record of the check by the same expressions.
var preamble = strings.NewReplacer(
	"%RULES%", sedRules(), "%VOLATILE%", volatile, "%GIT%", gitFacts, "%ANSWERS%", answers, "%BARE%", bareFacts,
).Replace(`
set -u
LC_ALL=C; export LC_ALL
missing() { echo "this script needs $1" >&2; exit 3; }
for tool in curl base64 awk sed; do
  command -v "$tool" >/dev/null || missing "$tool"
done
dir=$(mktemp -d) || exit 3
end() {
  for f in "$dir"/*.pid; do [ -e "$f" ] && kill $(cat "$f") 2>/dev/null; done
  rm -rf "$dir"
}
trap end EXIT
trap 'exit 130' INT TERM
asked=0 alike=0 unsent=0 taken=
tab=$(printf '\t')

# plain takes out what a terminal would obey.
plain() { tr -d '\000-\010\013-\037\177'; }
say() { printf '\n>> %s\n' "$1"; }
note() { printf '\n!! %s\n' "$1"; }
left_out() { note "$1"; unsent=$((unsent + 1)); }
pause() { printf '\n(waits %s s, as the check did)\n' "$1"; sleep "$1"; }
step() {
  printf '\n== %s\n' "$1"
  case ${STEP:-} in
  '') return 0 ;;
  stdin) by_hand ;;
  *) by_hand </dev/tty ;;
  esac
}
by_hand() {
  printf '   [Enter goes on, s and Enter is a shell with $http, $relay and $dir] '
  read -r answer || return 0
  [ "$answer" != s ] || (cd "$dir" && export http relay dir && "${SHELL:-sh}")
}

# compare NAME FACTS compares what came now, in the file now, with what came in the check.
compare() {
  asked=$((asked + 1))
  printf '%s\n' "$2" | sed '/^$/d' >"$dir/then"
  cmp -s "$dir/then" "$dir/now" && { alike=$((alike + 1)); return; }
  note "$1: not what came in the check"
  awk -v other="$dir/now" 'BEGIN { while ((getline l < other) > 0) n[l]++ } n[$0]-- > 0 { next } { print "   then: " $0 }' "$dir/then" | plain
  awk -v other="$dir/then" 'BEGIN { while ((getline l < other) > 0) n[l]++ } n[$0]-- > 0 { next } { print "   now:  " $0 }' "$dir/now" | plain
}
# finish COMMAND says how it ended; the command runs the check anew.
finish() {
  echo
  if [ "$asked" = 0 ]; then
    echo "Nothing came in the check that could be compared: see what came now, above."
    exit 1
  fi
  [ "$unsent" = 0 ] || echo "$unsent things that the check did are not in this script."
  if [ "$alike" = "$asked" ]; then
    echo "SEEN AGAIN: all $asked answers say what they said in the check."
    exit 0
  fi
  echo "NOT SEEN AGAIN: $((asked - alike)) of $asked answers do not say what they said in the check."
  if cat "$dir"/*.in 2>/dev/null | grep -q '^ *\[ *"EVENT"'; then
    echo 'A server that has seen these events before does not take them as new: start it afresh, or run the check anew, with other events:'
    printf '  %s\n' "$1"
  fi
  exit 1
}

# needs_websocket finds the client that connections are made with.
needs_websocket() {
  websocket=${WEBSOCKET:-}
  if [ -n "$websocket" ]; then
    command -v "${websocket%% *}" >/dev/null || missing "a WebSocket client; WEBSOCKET names ${websocket%% *}, which is not there"
  elif command -v websocat >/dev/null; then
    websocket='websocat -t -B 1048576'
  elif command -v grasp-check >/dev/null; then
    websocket='grasp-check websocket'
  else
    missing "a WebSocket client: websocat, or grasp-check on the PATH, or another command in WEBSOCKET that sends each line of its input as a message to the URL behind it and prints each message that comes"
  fi
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
alive() { kill -0 $(head -n 1 "$dir/$1.pid") 2>/dev/null; }
# hang_up CHANNEL FACTS ends a connection, and compares what came on it until what came in the check has come.
hang_up() {
  printf '%s\n' "$2" | sed '/^$/d' >"$dir/then"
  tries=20
  while messages "$1" && ! awk -v other="$dir/now" 'BEGIN { while ((getline l < other) > 0) n[l]++ } n[$0]-- <= 0 { bad = 1 } END { exit bad }' "$dir/then"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || break
    sleep 0.1
  done
  show "$1"
  kill $(cat "$dir/$1.pid") 2>/dev/null
  rm -f "$dir/$1.pid"
  compare "$1" "$2"
}
# messages CHANNEL lists what came on a connection. What is behind the last message that the check has read, it may not have read.
messages() {
  cat "$dir"/*.in | named_before | grep -oE '"id" *: *"[0-9a-f]{64}"' | grep -oE '[0-9a-f]{64}' >"$dir/own"
  named_before <"$dir/$1.out" | sed -E '%RULES%' | sed -E "$taken" >"$dir/all"
  alive "$1" || printf 'end\t\n' >>"$dir/all"
  awk -F '\t' -v then="$dir/then" -v own="$dir/own" '
    BEGIN {
      while ((getline l < then) > 0) {
        want[l] = 1; split(l, f, "\t")
        if (f[1] == "nothing") silent[f[2]]++
        if (f[1] ~ /^(%ANSWERS%)$/) answered[f[2]]--
      }
      while ((getline l < own) > 0) mine[l] = 1
    }
    $1 == "EVENT" && !($3 in mine) { next }
    {
      line[++n] = $0; said = $1 ~ /^(%ANSWERS%)$/
      order[n] = $1 == "EVENT" && ($2 in stored) ? "1" $3 : sprintf("0%06d", n)
      if ($1 == "EOSE") stored[$2] = 1
    }
    said { answered[$2]++ }
    ($0 in want) || said && ($2 in silent) || $1 == "EVENT" && ("everything\t" in want) { last = n }
    END {
      for (i = 1; i <= last; i++) { split(line[i], f, "\t"); print f[2] "\t" order[i] "\t" line[i] }
      for (s in silent) for (i = answered[s] > 0 ? answered[s] : 0; i < silent[s]; i++) print s "\t" sprintf("0%06d", n + 1) "\tnothing\t" s
      if ("everything\t" in want) print "\t\teverything\t"
    }' "$dir/all" | sort -t "$tab" -k 1,1 -k 2,2 | cut -f 3- >"$dir/now"
}
# show CHANNEL prints what came since it was shown last.
show() {
  seen=$(cat "$dir/$1.seen")
  tail -n +$((seen + 1)) "$dir/$1.out" | plain | sed "s/^/<< $1 /"
  wc -l <"$dir/$1.out" >"$dir/$1.seen"
}
# frame CHANNEL ANSWER TEXT sends a message and waits for a line that fits the regular expression, five seconds at most; a second
# if nothing answered it then, and none if - says that nothing ever does.
frame() {
  set -- "$1" "$(printf '%s\n' "$2" | renamed)" "$(printf '%s\n' "$3" | renamed)"
  say "$1 $3"
  printf '%s\n' "$3" >>"$dir/$1.in"
  tries=50
  case $2 in '') tries=10 ;; -) tries=0 ;; esac
  while [ "$tries" -gt 0 ]; do
    [ -n "$2" ] && tail -n +$(($(cat "$dir/$1.seen") + 1)) "$dir/$1.out" | grep -qE "$2" && break
    alive "$1" || { echo "<< $1 (the connection has ended) $(head -n 3 "$dir/$1.err" | plain)"; break; }
    sleep 0.1
    tries=$((tries - 1))
  done
  show "$1"
}
# renamed and named_before put the ids of events that were signed anew in place of those of the check, and back.
renamed() { if [ -e "$dir/renamed" ]; then sed -f "$dir/renamed"; else cat; fi; }
named_before() { if [ -e "$dir/named_before" ]; then sed -f "$dir/named_before"; else cat; fi; }
challenge_of() { sed -nE 's/^ *\[ *"AUTH" *, *"([^"\\]*)".*$/\1/p' "$dir/$1.out" | tail -n 1; }
# can_sign finds who signs.
can_sign() {
  case ${websocket:-} in
  *'grasp-check websocket') signer=${websocket%% *} ;;
  *) signer=grasp-check ;;
  esac
  command -v "$signer" >/dev/null
}
# sign_as SEED NAME FLAG... signs by the key that follows from seed and name, or without a seed by the one of $KEYS with that public key.
sign_as() {
  from=$1 of=$2; shift 2
  if [ -n "$from" ]; then "$signer" sign --seed "$from" --as "$of" "$@"; else "$signer" sign --keys "$KEYS" --pubkey "$of" "$@"; fi
}
# needs_token says, once, if there is nothing to make tokens with. token PUBKEY PATH makes one, of now, for a repository (NIP-98).
tokenless=
needs_token() {
  [ -z "$tokenless" ] || return 0
  [ -n "${KEYS:-}" ] && can_sign && return 0
  tokenless=yes
  left_out "requests of the check had a token of a key that was given to the run: put the file of --keys into KEYS, and grasp-check on the PATH"
}
token() {
  [ -z "$tokenless" ] || return 0
  signed=$(sign_as '' "$1" --kind 27235 --created-at "$(date +%s)" --tag "u=$http$2" --tag method=GET) && printf 'Nostr %s' "$(printf '%s' "$signed" | base64 | tr -d '\n')"
}
# authenticate CHANNEL SEED NAME KIND OFFSET ID TAG... answers the challenge of a connection; see sign_as.
authenticate() {
  channel=$1 seed=$2 name=$3 kind=$4 offset=$5 id=$6; shift 6
  [ -n "$seed" ] || [ -n "${KEYS:-}" ] || { left_out "$channel: the check authenticated here with a key that was given to the run: put the file of --keys into KEYS"; return; }
  can_sign || { left_out "$channel: the check authenticated here; grasp-check sign does it again, if grasp-check is on the PATH"; return; }
  for tag; do
    shift
    case $tag in
    challenge=@*)
      of=${tag#challenge=@}
      tries=50
      while [ -z "$(challenge_of "$of")" ] && [ "$tries" -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
      tag="challenge=$(challenge_of "$of")" ;;
    esac
    set -- "$@" --tag "$tag"
  done
  event=$(sign_as "$seed" "$name" --kind "$kind" --created-at "$(($(date +%s) + offset))" "$@") || { left_out "$channel: nothing could be signed"; return; }
  now=$(printf '%s\n' "$event" | grep -oE '"id" *: *"[0-9a-f]{64}"' | grep -oE '[0-9a-f]{64}')
  printf 's/%s/%s/g\n' "$id" "$now" >>"$dir/renamed"
  printf 's/%s/%s/g\n' "$now" "$id" >>"$dir/named_before"
  frame "$channel" "\"(OK)\" *, *\"$now\"" "[\"AUTH\",$event]"
}
# odd_frame CHANNEL BASE64 sends a message that is no line of text, if the client knows how.
odd_frame() {
  case $websocket in
  *'grasp-check websocket')
    say "$1 $2 (base64)"
    printf '\036%s\n' "$2" >>"$dir/$1.in"
    sleep 1
    show "$1" ;;
  *) left_out "$1: a message that is no line of text was sent: $2 (base64); grasp-check websocket sends it, named by WEBSOCKET" ;;
  esac
}
# body BASE64 is what the next request or bytes carry.
body() { printf '%s' "$1" | base64 -d >"$dir/body"; }
# request METHOD PATH [WORDS OF CURL] sends a request below the service URL and shows the answer.
request() {
  method=$1 path=$2; shift 2
  say "$method $path"
  [ "$method" = HEAD ] && set -- --head "$@"
  rm -f "$dir/head" "$dir/answer"
  curl -sS --http1.1 --path-as-is --globoff --max-time 60 -X "$method" -H 'Expect:' -H 'Accept:' -D "$dir/head" -o "$dir/answer" "$@" "$http$path"
  touch "$dir/head" "$dir/answer"
  [ "$method" = HEAD ] && : >"$dir/answer"
  plain <"$dir/head" | sed 's/^/<< /'
  head -c 4096 "$dir/answer" | tr -c '[:print:]\n' '.' | sed 's/^/<< /'
  echo
}
# answered NAME FACTS compares the answer to the last request.
answered() {
  fields >"$dir/all"
  grep -qi '^content-type: application/x-git-' "$dir/head" && git_facts >>"$dir/all"
  sort "$dir/all" >"$dir/now"
  compare "$1" "$2"
}
fields() {
  [ -s "$dir/head" ] || echo 'no answer'
  tr -d '\r' <"$dir/head" | awk '
    /^HTTP\// { n = 0; line[n++] = "HTTP " $2; next }
    /:/ {
      at = index($0, ":"); field = tolower(substr($0, 1, at - 1)); value = substr($0, at + 1)
      sub(/^[ \t]+/, "", value); sub(/[ \t]+$/, "", value)
      if (field !~ /^(%VOLATILE%)$/) line[n++] = field ": " value
    }
    END { for (i = 0; i < n; i++) print line[i] }'
}
# git_facts lists what the first 4096 bytes of a body say, of which the record of the check has no more.
git_facts() {
  head -c 4096 "$dir/answer" | tr -c '[:print:]\n\000' '.' | tr '\000' '\035' | awk '
    { at = index($0, "PACK"); line = at ? substr($0, 1, at - 1) : $0; gsub(/\035/, "\ncapabilities ", line); print line }
    at { exit }' | grep -oE '%GIT%' | sed -E 's/^[0-9a-f]{4}([0-9a-f]{40}|ok |ng )/\1/'
  head -c 4096 "$dir/answer" | od -A n -v -t u1 | awk -v size="$(wc -c <"$dir/answer")" '
    function digit(c) { return c >= 48 && c <= 57 ? c - 48 : c >= 97 && c <= 102 ? c - 87 : c >= 65 && c <= 70 ? c - 55 : -1 }
    function pack(at) { return b[at] == 80 && b[at + 1] == 65 && b[at + 2] == 67 && b[at + 3] == 75 }
    { for (i = 1; i <= NF; i++) b[n++] = $i }
    END {
      while (at + 4 <= n) {
        flush = 0
        if (pack(at)) { first = at; break }
        length_ = 0
        for (i = 0; i < 4; i++) { d = digit(b[at + i]); if (d < 0) { at = n; break } length_ = length_ * 16 + d }
        if (at == n) break
        if (length_ < 4) { flush = length_ == 0; at += 4; continue }
        if (length_ > 4 && b[at + 4] >= 1 && b[at + 4] <= 3) {
          band[b[at + 4]] = 1
          if (!first && pack(at + 5)) first = at + 5
        }
        at += length_
      }
      for (i = 1; i <= 3; i++) if (i in band) print "band " i
      if (first && first + 11 < n) print "pack of " ((b[first + 8] * 256 + b[first + 9]) * 256 + b[first + 10]) * 256 + b[first + 11] " objects"
      if (flush && size <= 4096) print "a flush at its end"
    }'
}
# the_same NAME BASE64 SIZE compares the beginning of the body of the last answer with that of the check.
the_same() {
  asked=$((asked + 1))
  printf '%s' "$2" | base64 -d >"$dir/then"
  head -c "$(($(wc -c <"$dir/then")))" "$dir/answer" >"$dir/now"
  cmp -s "$dir/then" "$dir/now" && [ "$(($(wc -c <"$dir/answer")))" = "$3" ] && { alike=$((alike + 1)); return; }
  note "$1: the body is not that of the check; then it was"
  tr -c '[:print:]\n' '.' <"$dir/then" | sed 's/^/   then: /'
  echo
}
# dial_bare CHANNEL opens a connection to the port of the service, below HTTP.
dial_bare() {
  : >"$dir/$1.raw"; : >"$dir/$1.out"
  mkfifo "$dir/$1.fifo"
  bare_client <"$dir/$1.fifo" >"$dir/$1.out" 2>"$dir/$1.err" &
  echo $! >"$dir/$1.pid"
  tail -n +1 -f "$dir/$1.raw" >"$dir/$1.fifo" 2>/dev/null &
  echo $! >>"$dir/$1.pid"
}
bare_client() {
  place=${host%:*}
  case $http in https:*) exec openssl s_client -quiet -servername "$place" -connect "$host" ;; esac
  place=${place#[}; place=${place%]}
  command -v bash >/dev/null && exec bash -c 'exec 3<>"/dev/tcp/$1/$2" 4<&0 || exit 1; cat <&4 >&3 & exec cat <&3' bash "$place" "${host##*:}"
  exec curl -sN "telnet://$host"
}
# bare CHANNEL ANSWERED sends bytes and waits for some, five seconds at most; a second if none came then.
bare() {
  size=$(wc -c <"$dir/$1.out")
  cat "$dir/body" >>"$dir/$1.raw"
  tries=50
  [ "$2" = yes ] || tries=10
  while [ "$tries" -gt 0 ] && alive "$1"; do
    [ "$2" = yes ] && [ "$(($(wc -c <"$dir/$1.out")))" -gt "$((size))" ] && break
    sleep 0.1
    tries=$((tries - 1))
  done
  tail -c "+$((size + 1))" "$dir/$1.out" | tr -c '[:print:]\n' '.' | sed "s/^/<< $1 /"
  echo
}
# hang_up_bare CHANNEL FACTS ends it, and compares what came, and whether the server has ended it, if the check saw that.
hang_up_bare() {
  printf '%s\n' "$2" | sed '/^$/d' >"$dir/then"
  tries=20
  while
    tr -c '[:print:]\n' '.' <"$dir/$1.out" | grep -oE '%BARE%' >"$dir/now"
    ! grep -qx end "$dir/then" || alive "$1" || echo end >>"$dir/now"
    [ "$tries" -gt 0 ] && ! cmp -s "$dir/then" "$dir/now"
  do
    tries=$((tries - 1))
    sleep 0.1
  done
  kill $(cat "$dir/$1.pid") 2>/dev/null
  rm -f "$dir/$1.pid"
  compare "$1" "$2"
}
`)
