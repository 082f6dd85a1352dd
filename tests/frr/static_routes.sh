#!/usr/bin/env bash
# Three leaves, two spines and four networks of hosts, with addresses and no routes, in network namespaces: devices of
# Linux, and then of FRR (zebra and staticd).  $1/before gets the addresses and connected routes; the command $2 makes
# $1/new.iproute, with weights, and $1/new.frr of them; $1/linux and $1/frr get the routes once these are installed.
# leaf3 has two cables to spine2.  Needs root; leaves nothing behind.
set -eu
out=$1 command=$2 tag=rs$$
devices="leaf1 leaf2 leaf3 spine1 spine2" hosts=""
links="leaf1:swp1:spine1:swp1 leaf1:swp2:spine2:swp1 leaf2:swp1:spine1:swp2 leaf2:swp2:spine2:swp2 leaf3:swp1:spine1:swp3
  leaf3:swp2:spine2:swp3 leaf3:swp3:spine2:swp4"
source "$(dirname "$0")/namespaces.sh"
stop() {
  for d in $devices; do
    for x in staticd zebra; do kill "$(cat "/var/run/frr/$tag$d/$x.pid" 2> /dev/null)" 2> /dev/null || true; done
  done
  clean
}
trap stop EXIT
join
n=0
for l in $links; do
  IFS=: read -r a p b q <<< "$l"
  ip -n "$tag$a" addr add "10.0.0.$((2 * n))/31" dev "$p"
  ip -n "$tag$b" addr add "10.0.0.$((2 * n + 1))/31" dev "$q"
  ip -n "$tag$a" addr add "fd00:ff:$n::/127" dev "$p" nodad
  ip -n "$tag$b" addr add "fd00:ff:$n::1/127" dev "$q" nodad
  n=$((n + 1))
done
mkdir -p "$out/before" "$out/linux" "$out/frr"
echo "device,port,device,port,bandwidth" > "$out/before/cables.csv"
for l in $links; do
  case $l in leaf1:swp1:*) speed=300G ;; *) speed=100G ;; esac
  echo "${l//:/,},$speed" >> "$out/before/cables.csv"
done
echo "name,address,device,port" > "$out/before/hosts.csv"
for x in 1:0 1:1 2:0 3:0; do
  IFS=: read -r l k <<< "$x"
  ip -n "${tag}leaf$l" link add "host$k" type veth peer name "end$k"
  ip -n "${tag}leaf$l" link set "host$k" up
  ip -n "${tag}leaf$l" link set "end$k" up
  ip -n "${tag}leaf$l" addr add "10.1.$l.$((k * 128 + 1))/25" dev "host$k"
  echo "h$l$k,10.1.$l.$((k * 128 + 9)),leaf$l,host$k" >> "$out/before/hosts.csv"
done
for d in $devices; do
  ip -n "$tag$d" -j -4 route > "$out/before/$d.routes.json"
  ip -n "$tag$d" -j addr > "$out/before/$d.addr.json"
done
for x in linux frr; do cp "$out/before/"*.csv "$out/before/"*.addr.json "$out/$x"; done
bash -c "$command"
for d in $devices; do
  ip netns exec "$tag$d" sh "$out/new.iproute/$d.sh"
  ip -n "$tag$d" -j -4 route > "$out/linux/$d.routes.json"
  ip -n "$tag$d" -4 route flush proto static
done
for d in $devices; do
  mkdir -p "/var/run/frr/$tag$d" "$work/$d"
  chown -R frr:frr "$work/$d" "/var/run/frr/$tag$d"
  for x in zebra staticd; do
    ip netns exec "$tag$d" /usr/lib/frr/$x -d -N "$tag$d" -f /dev/null -i "/var/run/frr/$tag$d/$x.pid"
  done
  for _ in $(seq 40); do vtysh -N "$tag$d" -d staticd -c 'show version' > /dev/null 2>&1 && break; sleep 0.25; done
  vtysh -N "$tag$d" -f "$out/new.frr/$d.conf" > "$out/$d.vtysh" 2>&1
done
complete() {
  for d in $devices; do
    wanted=$(grep -c '^ip route' "$out/new.frr/$d.conf")
    [ "$(vtysh -N "$tag$d" -c 'show ip route static' 2> /dev/null | grep -c swp)" = "$wanted" ] || return 1
  done
}
for _ in $(seq 40); do complete && break; sleep 0.5; done
for d in $devices; do vtysh -N "$tag$d" -c 'show ip route json' > "$out/frr/$d.routes.json" 2> /dev/null; done
