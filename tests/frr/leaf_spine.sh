#!/usr/bin/env bash
# A leaf-spine fabric of real FRR (eBGP unnumbered) and lldpd in network namespaces; its dumps go to the directory $1.
# Three leaves, two spines, four hosts; leaf3 has two cables to spine2.  Needs root; leaves nothing behind.
# With a directory $2: the same as text in $2/text, of IPv6 in $2/six, and of the kernels in $2/linux (leaf1: by number).
set -eu
out=$1 more=${2:-} tag=rp$$
devices="spine1 spine2 leaf1 leaf2 leaf3" hosts="h1 h2 h3 h4"
links="leaf1:swp1:spine1:swp1 leaf1:swp2:spine2:swp1 leaf2:swp1:spine1:swp2 leaf2:swp2:spine2:swp2 leaf3:swp1:spine1:swp3
  leaf3:swp2:spine2:swp3 leaf3:swp3:spine2:swp4 leaf1:swp11:h1:eth0 leaf1:swp12:h2:eth0 leaf2:swp11:h3:eth0
  leaf3:swp11:h4:eth0"
source "$(dirname "$0")/namespaces.sh"
join
for x in h1:10.1.1.2 h2:10.1.1.66 h3:10.1.2.2 h4:10.1.3.2; do ip -n "$tag${x%%:*}" addr add "${x#*:}/26" dev eth0; done
for x in h1:1:0 h2:1:1 h3:2:0 h4:3:0; do
  IFS=: read -r h l k <<< "$x"
  ip -n "$tag$h" addr add "fd00:$l:$k::2/64" dev eth0 nodad
done
as=65100
for d in $devices; do
  as=$((as + 1)) n=${d: -1} own=$as id=10.0.1.${d: -1}
  case $d in spine*) own=65000 id=10.0.0.$n ;; esac
  mkdir -p "$work/$d" "/var/run/frr/$tag$d"
  {
    printf 'frr defaults datacenter\nhostname %s\ninterface lo\n ip address %s/32\nexit\n' "$d" "$id"
    sessions="" six=""
    for l in $links; do
      IFS=: read -r a p b q <<< "$l"
      if [ "$a" = "$d" ]; then me=$p; elif [ "$b" = "$d" ]; then me=$q; else continue; fi
      case $b in
        h*) k=$((${me#swp} - 11))
          printf 'interface %s\n ip address 10.1.%s.%s/26\n' "$me" "$n" $((k * 64 + 1))
          printf ' ipv6 address fd00:%s:%s::1/64\nexit\n' "$n" "$k"
          ;;
        *)
          printf 'interface %s\n ipv6 nd ra-interval 1\n no ipv6 nd suppress-ra\nexit\n' "$me"
          sessions+=" neighbor $me interface remote-as external"$'\n'
          six+="  neighbor $me activate"$'\n'
          ;;
      esac
    done
    printf 'router bgp %s\n bgp router-id %s\n bgp bestpath as-path multipath-relax\n timers bgp 1 3\n' "$own" "$id"
    printf '%s address-family ipv4 unicast\n  redistribute connected\n exit-address-family\n' "$sessions"
    printf ' address-family ipv6 unicast\n  redistribute connected\n%s exit-address-family\nexit\n' "$six"
  } > "$work/$d/frr.conf"
  start "$d"
done
for d in $devices $hosts; do
  ip netns exec "$tag$d" unshare -u bash -c "hostname $d; exec lldpd -d -u $work/$d.sock -I 'swp*,eth0' -C ''" \
    > "$work/$d.log" 2>&1 &
done
sleep 2
for d in $devices $hosts; do
  lldpcli -u "$work/$d.sock" configure lldp portidsubtype ifname
  lldpcli -u "$work/$d.sock" configure lldp tx-interval 1
done > /dev/null
complete() { # every leaf has both ways to h4 or is its own, every device sees all its neighbours
  for d in leaf1 leaf2; do
    [ "$(vtysh -N "$tag$d" -c 'show ip route 10.1.3.0/26' 2> /dev/null | grep -c swp)" = 2 ] || return 1
    [ "$(vtysh -N "$tag$d" -c 'show ip route 10.1.2.0/26' 2> /dev/null | grep -c swp)" -ge 1 ] || return 1
  done
  [ "$(vtysh -N "${tag}leaf3" -c 'show ip route 10.1.1.64/26' 2> /dev/null | grep -c swp)" = 3 ] || return 1
  [ "$(vtysh -N "${tag}leaf3" -c 'show ip route 10.1.2.0/26' 2> /dev/null | grep -c swp)" = 3 ] || return 1
  [ "$(vtysh -N "${tag}leaf3" -c 'show ipv6 route fd00:2:0::/64' 2> /dev/null | grep -c swp)" = 3 ] || return 1
  [ "$(vtysh -N "${tag}leaf1" -c 'show ipv6 route fd00:3:0::/64' 2> /dev/null | grep -c swp)" = 2 ] || return 1
  [ "$(vtysh -N "${tag}leaf2" -c 'show ipv6 route fd00:3:0::/64' 2> /dev/null | grep -c swp)" = 2 ] || return 1
  for l in $links; do
    IFS=: read -r a p b q <<< "$l"
    lldpcli -u "$work/$a.sock" -f keyvalue show neighbors | grep -q "lldp.$p.chassis.name=$b" || return 1
    lldpcli -u "$work/$b.sock" -f keyvalue show neighbors | grep -q "lldp.$q.chassis.name=$a" || return 1
  done
}
for _ in $(seq 120); do complete && break; sleep 1; done
for d in $devices; do
  vtysh -N "$tag$d" -c 'show ip route json' > "$out/$d.routes.json" 2> /dev/null
  lldpcli -u "$work/$d.sock" -f json show neighbors > "$out/$d.lldp.json"
done
[ -n "$more" ] || exit 0
mkdir -p "$more/text" "$more/six" "$more/linux"
for d in $devices; do
  vtysh -N "$tag$d" -c 'show ip route' > "$more/text/$d.routes.txt" 2> /dev/null
  vtysh -N "$tag$d" -c 'show ipv6 route' > "$more/six/$d.routes.txt" 2> /dev/null
  case $d in leaf*) form=plain ;; *) form=keyvalue ;; esac
  lldpcli -u "$work/$d.sock" -f $form show neighbors | tee "$more/text/$d.lldp.txt" > "$more/six/$d.lldp.txt"
  ip -n "$tag$d" -j -d addr > "$more/text/$d.addr.json"
  case $d in leaf1) numeric=-N ;; *) numeric= ;; esac
  ip -n "$tag$d" $numeric -j route show table all > "$more/linux/$d.routes.json"
  cp "$out/$d.lldp.json" "$more/linux"
done
