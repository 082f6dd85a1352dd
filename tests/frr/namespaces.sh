# Sourced by the scripts of fabrics: $devices and $hosts in namespaces of their own, joined by $links ("a:port:b:port"),
# and FRR started in them.  $tag begins the name of every namespace, $work is removed at the end.
work=$(mktemp -d /tmp/rpfrr.XXXXXX)
clean() {
  for d in $devices; do
    for x in bgpd zebra; do kill "$(cat "/var/run/frr/$tag$d/$x.pid" 2> /dev/null)" 2> /dev/null || true; done
  done
  for d in $devices $hosts; do
    for p in $(ip netns pids "$tag$d" 2> /dev/null); do kill "$p" 2> /dev/null || true; done
    ip netns del "$tag$d" 2> /dev/null || true
    rm -rf "/var/run/frr/$tag$d"
  done
  rm -rf "$work"
}
trap clean EXIT
chmod 755 "$work"
join() {
  for d in $devices $hosts; do ip netns add "$tag$d"; ip -n "$tag$d" link set lo up; done
  for l in $links; do
    IFS=: read -r a p b q <<< "$l"
    ip link add "$tag"x type veth peer name "$tag"y
    ip link set "$tag"x netns "$tag$a" name "$p"
    ip link set "$tag"y netns "$tag$b" name "$q"
    ip -n "$tag$a" link set "$p" up
    ip -n "$tag$b" link set "$q" up
  done
}
start() { # zebra and bgpd of device $1, from $work/$1/frr.conf
  chown -R frr:frr "$work/$1" "/var/run/frr/$tag$1"
  for x in zebra bgpd; do
    ip netns exec "$tag$1" /usr/lib/frr/$x -d -N "$tag$1" -f "$work/$1/frr.conf" -i "/var/run/frr/$tag$1/$x.pid"
  done
}
