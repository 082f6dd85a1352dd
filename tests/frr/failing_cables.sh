#!/usr/bin/env bash
# A fabric of real FRR (eBGP on numbered cables) in network namespaces, two networks of hosts at each leaf.  $1:
#   three-tiers: two pods of three leaves and two aggregation switches, four cores
#   two-cables: three leaves, two spines; leaf13 has two cables to spine2
#   uneven: three leaves, three spines; leaf13 has none to spine3
# Aggregation switches of a pod share an AS number, and so do spines, and cores.  $2/healthy gets the routes of all
# devices and the list of cables; then each cable goes down alone, and $2/DEVICE-PORT gets the same.  Needs root; leaves
# nothing behind.
set -eu
kind=$1 out=$2 tag=rt$$
devices="" hosts="" links=""
declare -A ports=() address=() asn=()
add() { # a cable between two devices
  ports[$1]=$((${ports[$1]:-0} + 1)) ports[$2]=$((${ports[$2]:-0} + 1))
  links+=" $1:swp${ports[$1]}:$2:swp${ports[$2]}"
}
case $kind in # "all": next hops of all devices
  three-tiers) # 22 next hops at each of 6 leaves, 18 at 4 aggregation switches, 12 at 4 cores
    all=252
    for p in 1 2; do for l in 1 2 3; do for a in 1 2; do add "leaf$p$l" "agg$p$a"; done; done; done
    for p in 1 2; do for a in 1 2; do for c in $((2 * a - 1)) $((2 * a)); do add "agg$p$a" "core$c"; done; done; done
    ;;
  two-cables) # 10, 10 and 14 at the leaves, 6 and 8 at the spines
    all=48
    for l in 1 2 3; do for s in 1 2; do add "leaf1$l" "spine$s"; done; done
    add leaf13 spine2
    ;;
  uneven) # 12, 12 and 10 at the leaves, 6, 6 and 4 at the spines
    all=50
    for l in 1 2 3; do for s in 1 2 3; do [ "$l$s" = 33 ] || add "leaf1$l" "spine$s"; done; done
    ;;
esac
for l in $links; do
  IFS=: read -r a p b q <<< "$l"
  n=$((${#address[@]} / 2))
  address[$a:$p]=10.0.0.$((2 * n)) address[$b:$q]=10.0.0.$((2 * n + 1))
done
devices=$(printf '%s\n' "${!ports[@]}" | sort)
for d in $devices; do
  case $d in leaf*) asn[$d]=651${d#leaf} ;; agg*) asn[$d]=6520${d:3:1} ;; *) asn[$d]=65300 ;; esac
done
source "$(dirname "$0")/namespaces.sh"
join
k=0
for d in $devices; do
  k=$((k + 1))
  mkdir -p "$work/$d" "/var/run/frr/$tag$d"
  {
    # FRR 8.4 does not put a cable that comes back into the kernel's groups again: routes without groups
    printf 'frr defaults datacenter\nhostname %s\nno zebra nexthop kernel enable\n' "$d"
    printf 'interface lo\n ip address 10.255.0.%s/32\nexit\n' "$k"
    sessions=""
    for l in $links; do
      IFS=: read -r a p b q <<< "$l"
      if [ "$a" = "$d" ]; then me=$p far=$b:$q; elif [ "$b" = "$d" ]; then me=$q far=$a:$p; else continue; fi
      printf 'interface %s\n ip address %s/31\nexit\n' "$me" "${address[$d:$me]}"
      sessions+=" neighbor ${address[$far]} remote-as ${asn[${far%%:*}]}"$'\n'
      sessions+=" neighbor ${address[$far]} timers connect 1"$'\n'
    done
    case $d in leaf*)
      for n in 0 1; do
        ip -n "$tag$d" link add "host$n" type veth peer name "end$n"
        ip -n "$tag$d" link set "host$n" up
        ip -n "$tag$d" link set "end$n" up
        printf 'interface host%s\n ip address 10.%s.%s.%s/25\nexit\n' "$n" "${d:4:1}" "${d:5:1}" $((n * 128 + 1))
      done
      ;;
    esac
    printf 'router bgp %s\n bgp router-id 10.255.0.%s\n bgp bestpath as-path multipath-relax\n' "${asn[$d]}" "$k"
    printf ' no bgp ebgp-requires-policy\n timers bgp 1 3\n%s address-family ipv4 unicast\n' "$sessions"
    printf '  redistribute connected\n  maximum-paths 64\n exit-address-family\nexit\n'
  } > "$work/$d/frr.conf"
  ip -n "$tag$d" monitor route > "$work/$d.changes" &
  start "$d"
done
changed() { cat "$work"/*.changes | wc -c; }
quiet() { # wait until the kernels' routes, which have changed since there were $1 bytes of changes, stay the same for $2 s
  local before="" now="" same=0
  for _ in $(seq 240); do
    now=$(changed)
    if [ "$now" = "$before" ] && [ "$now" != "$1" ]; then same=$((same + 1)); else same=0; fi
    [ $same -ge $(($2 * 4)) ] && return
    before=$now
    sleep 0.25
  done
}
installed() { # how many next hops are in the kernels
  for d in $devices; do ip -n "$tag$d" route; done |
    awk '/^[0-9]/ { p = $1 } p ~ /^10\.[12]\./ { for (i = 1; i < NF; i++) if ($i == "dev") k++ } END { print k + 0 }'
}
whole() {
  local count=0
  for _ in $(seq 100); do
    quiet 0 1
    count=$(installed)
    [ "$count" = $all ] && return
  done
  echo "the fabric does not come up: $count next hops" >&2
  exit 1
}
dump() { # into directory $1, without the cable $2
  mkdir -p "$1"
  for d in $devices; do vtysh -N "$tag$d" -c 'show ip route' > "$1/$d.routes.txt" 2> /dev/null; done
  echo "name,address,device,port" > "$1/hosts.csv"
  for d in $devices; do case $d in leaf*)
    for n in 0 1; do echo "${d/leaf/gpu}$n,10.${d:4:1}.${d:5:1}.$((n * 128 + 9)),$d,host$n" >> "$1/hosts.csv"; done
    ;;
  esac; done
  echo "device,port,device,port" > "$1/cables.csv"
  for l in $links; do [ "$l" = "${2:-}" ] || echo "${l//:/,}" >> "$1/cables.csv"; done
}
whole
dump "$out/healthy"
for l in $links; do
  IFS=: read -r a p b q <<< "$l"
  before=$(changed)
  ip -n "$tag$a" link set "$p" down
  quiet "$before" 2
  dump "$out/$a-$p" "$l"
  ip -n "$tag$a" link set "$p" up
  whole
done
