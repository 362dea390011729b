/** Removes the folder `$d` of a terminal, and the scratch folder `$b` if it’s empty then; ends the script. */
export const leaveNothing = `rm -rf "$d" || { sleep 1; rm -rf "$d"; }
for f in "$b"/t/*; do [ ! -d "$f" ] || exit 0; done
rm -f "$b"/t/*; rmdir "$b/t" 2>/dev/null || exit 0
for f in "$b"/* "$b"/.[!.]*; do
  case \${f##*/} in err | .gitignore | relay-* | '*' | '.[!.]*') ;; *) exit 0 ;; esac
done
rm -f "$b/err" "$b/.gitignore" "$b"/relay-*; rmdir "$b"; exit 0`;

/**
 * The program that holds a terminal’s shell in a sandbox without Python: through the same files as `relayProgram`, and
 * with tmux or script(1) as the terminal. It looks at its files every 20 ms for a while after something happened.
 */
export const shellRelay = `# relay.sh DIR COLS ROWS GRACE tmux|script; DIR is relative, of characters that need no quotes
d=$1 cols=$2 rows=$3 grace=$4 by=$5; umask 077
mkdir "$d/o" "$d/k" "$d/f" || exit
for n in SESSION_API_KEY TMUX TMUX_PANE TMUX_TMPDIR AI_AGENT COLUMNS LINES NO_COLOR $(env | sed -n 's/^\\(OH_SE[CS][A-Z_0-9]*\\)=.*/\\1/p'); do unset "$n"; done
case \${LD_LIBRARY_PATH-} in *_MEI*) unset LD_LIBRARY_PATH ;; esac
[ -z "\${LD_LIBRARY_PATH_ORIG-}" ] || export LD_LIBRARY_PATH="$LD_LIBRARY_PATH_ORIG"
case \${LC_ALL:-\${LC_CTYPE:-\${LANG-}}} in *UTF* | *utf*) ;; *) unset LC_ALL; export LANG=C.UTF-8 ;; esac
s=\${SHELL:-/bin/bash}; case $s in *nologin | *false) s=/bin/bash ;; esac; [ -x "$s" ] || s=/bin/bash; [ -x "$s" ] || s=/bin/sh
export SHELL="$s" COLORTERM=truecolor TERM_PROGRAM=vscode
cat > "$d/run" <<END
while [ ! -e $d/go ]; do sleep 0.02 || sleep 1; done
unset TMUX TMUX_PANE; export TERM=xterm-256color; stty cols $cols rows $rows
sh -c 'tty > $d/tty; echo \\$\\$ > $d/child; exec "\\$SHELL"'
echo \\$? > $d/code~; mv $d/code~ $d/code
END
segment=1048576
if echo x | split -b 9 -d -a 6 - "$d/o/" 2> /dev/null; then rm -f "$d"/o/*; out="exec split -b $segment -d -a 6 - $d/o/"; else segment=1000000000000000; out="exec cat > $d/o/000000"; fi
# Typed bytes that a program doesn't take yet wait in f, so that the loop never does.
feed() { while for f in "$d"/f/*; do break; done; [ -e "$f" ]; do key < "$f"; rm -f "$f"; done; rm -f "$d/fed"; }
wake() { for w in "$d"/w.*; do [ ! -p "$w" ] || echo 1 1<> "$w"; done; told=0; }
# frames FILE [DO]: whether the input is whole; only then is any of it done
frames() {
  while read -r k x y; do case $k$2 in
    .*) return 0 ;;
    i) [ "$(dd bs="$x" count=1 2> /dev/null | wc -c)" -eq "$x" ] || return 1 ;;
    ido) typed=$((typed + 1)); dd bs="$x" count=1 of="$d/typed" 2> /dev/null; mv "$d/typed" "$d/f/$typed" ;;
    rdo) size "$x" "$y" ;;
    ado) [ "$x" -le $acked ] || acked=$x ;;
    gdo) grace=$x ;;
    qdo) quit=1 ;;
  esac; done < "$1"
  return 1
}
signal() { front=$(sed 's/.*) //' "/proc/$child/stat" 2> /dev/null | cut -d ' ' -f 6); for p in "-$front" "-$child" "$child"; do kill -s "$1" -- "$p" 2> /dev/null; done; }
hangup() {
  for n in HUP KILL; do
    signal $n; i=0; while [ ! -e "$d/code" ] && kill -0 "$child" 2> /dev/null && [ $i -lt 20 ]; do sleep 0.05; i=$((i + 1)); done
  done
}
watch() {
  [ "$by" = tmux ] || exec 4> "$d/in"
  : > "$d/go"; i=0; while [ ! -s "$d/child" ]; do sleep 0.02; i=$((i + 1)); [ $i -lt 500 ] || exit; done
  read -r tty < "$d/tty"; read -r child < "$d/child"; sh -c 'echo $PPID' > "$d/me"; read -r me < "$d/me"
  printf '{"pid": %d, "child": %d, "segment": %d, "digits": 6, "by": "%s"}' "$me" "$child" $segment "$by" > "$d/info~"; mv "$d/info~" "$d/info"
  exec > /dev/null 2>&1
  typed=1000000000 acked=0 quit= quiet=0 life=0 told=0 here= ever= full= old= code= end=0 lost=0
  while [ -d "$d/k" ]; do
    some=
    for f in "$d"/k/*; do
      [ -f "$f" ] && [ ! -L "$f" ] || continue
      n=\${f##*/}; c=\${n%%.*}; n=\${n#*.}
      case $c in '' | *[!0-9a-f]*) continue ;; esac
      case $n in
        bye) rm -f "$f"; new=; for x in $here; do [ "$x" = "$c" ] || new="$new $x"; done; here=$new; continue ;;
        '' | *[!0-9]*) continue ;;
      esac
      n=\${n#"\${n%%[!0]*}"}; eval "want=\\$((\\\${seen_$c:-0} + 1))"
      [ "$n" -le "$want" ] || continue
      if [ "$n" -eq "$want" ]; then
        # What is uploaded again is empty for a moment.
        cat "$f" > "$d/input"; frames "$d/input" || continue
        frames "$d/input" do; rm -f "$d/input"; eval "seen_$c=$n"; ever=1 some=1 life=0
        case " $here " in *" $c "*) ;; *) here="$here $c" ;; esac
      fi
      rm -f "$f"
    done
    [ -e "$d/fed" ] || for f in "$d"/f/*; do if [ -e "$f" ]; then : > "$d/fed"; feed & fi; break; done
    [ ! -e "$d/alive" ] || { rm -f "$d/alive"; life=0; }
    set -- "$d"/o/*; eval "z=\\\${$#}"; n=\${z##*/}; n=\${n#"\${n%%[!0]*}"}; have=0; [ ! -e "$z" ] || have=$((\${n:-0} * segment + $(wc -c < "$z")))
    if [ "$have" != "$old" ]; then old=$have some=1; [ $# -le 8 ] || rm -f "$1"; wake; elif [ $told -gt 49000 ]; then wake; fi
    # A window lives and has not read yet: let the program wait.
    if [ -s "$d/out" ]; then
      now=CONT; [ $((have - acked)) -le 4194304 ] || [ $life -gt 90000 ] || now=STOP
      [ "$now" = "\${full:-CONT}" ] || { full=$now; read -r p < "$d/out"; kill "-$now" "$p"; }
    fi
    [ -z "$some" ] || quiet=0
    ms=20 nap=0.02; if [ $quiet -gt 5000 ]; then ms=1000 nap=1; for w in "$d"/w.*; do [ ! -p "$w" ] || ms=200 nap=0.2; done; fi
    sleep $nap || sleep 1
    quiet=$((quiet + ms)) life=$((life + ms)) told=$((told + ms))
    if [ -z "$code" ]; then
      if [ -n "$quit" ] || [ $((life / 1000)) -gt "$grace" ]; then hangup; quit=; fi
      if ! kill -0 "$child"; then
        lost=$((lost + 1)); [ $lost -gt 1 ] || quiet=0
        [ $lost -lt 25 ] || [ -e "$d/code" ] || echo 137 > "$d/code"
        if [ -e "$d/code" ] && [ "$full" != STOP ] && [ $quiet -ge 200 ]; then read -r code < "$d/code"; mv "$d/code" "$d/exit"; wake; fi
      fi
    else
      # Time for the windows to read the rest.
      end=$((end + ms)) quiet=0; wake
      if [ $end -gt 20000 ] || { [ -n "$ever" ] && [ -z "$here" ]; }; then break; fi
    fi
  done
  [ -n "$code" ] || hangup
  stop; b=\${d%/t/*}; ${leaveNothing}
}
if [ "$by" = tmux ]; then
  T="tmux -S $d/s -f /dev/null"
  key() { $T load-buffer -b k - \\; paste-buffer -d -r -b k; }
  size() { $T resize-window -x "$1" -y "$2"; }
  stop() { $T kill-server; }
  $T new-session -d -x "$cols" -y "$rows" "sh $d/run" || exit
  $T set -g window-size manual; $T set -g status off; $T pipe-pane -O "$out"
  watch
else
  key() { cat >&4; }
  size() { stty cols "$1" rows "$2" < "$tty"; }
  stop() { [ ! -s "$d/out" ] || { read -r p < "$d/out"; kill -CONT "$p"; }; }
  mkfifo "$d/in" || exit
  watch &
  script -qfc "sh $d/run" /dev/null < "$d/in" | sh -c "echo \\$\\$ > $d/out; $out"
fi
`;
