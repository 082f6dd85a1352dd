"""Every kind of evidence: one sentence on what it is, and on why it proves the number or how the number is repeated."""

from __future__ import annotations

from collections.abc import Mapping

EVIDENCE: Mapping[str, str] = {
    # worst cases
    "worst-case": "Traffic that loads one channel this much, and dual potentials that bound every channel from above: "
    "no admissible traffic does more.",
    "worst-case-channel": "A permutation that loads the channel this much, and dual potentials that bound its load "
    "from above.",
    "worst-case-channels": "For each channel of a group, packets that load it this much, and dual potentials that "
    "bound its load from above.",
    "worst-case-among": "The packets and potentials of this channel are in the evidence of another channel's claim.",
    "same-class": "A symmetry, which is checked, maps the channel to another one, whose claim has the evidence.",
    "routable": "A flow within all bandwidths whose demand loads the channel this much, and lengths of channels that "
    "bound, by shortest paths, what any flow within the bandwidths can load.",
    "routable-class": "A symmetry, which is checked, maps the channel to another one, whose claim has the flow and the "
    "lengths.",
    "matrices": "The loads of all channels under every matrix (of a box: under its largest demands), summed again from "
    "the routing.",
    "box": "A demand between the limits that loads one channel this much, and multipliers of terminals and of the "
    "total that bound every channel from above.",
    "shared-channel": "A channel, with a pair of terminals of each of two jobs whose packets cross it; or, where "
    "there is none, the channels of all pairs inside the jobs, looked up again.",
    "sparse-curve": "Packets that load one channel this much, and multipliers that bound every channel for every "
    "number of packets at once.",
    "derived": "Arithmetic on other claims of this report, carried out again.",
    # designs and bounds over all routings
    "reached": "The routing itself: its worst case is proved as that of any routing, and its path lengths are summed "
    "again.",
    "adaptive": "From below one admitted demand, and lengths of channels under which none of its flows congests less; "
    "from above the report's routing, or a flow for every extreme demand.",
    "adversary": "A weighted set of channels with traffic for each: by weak duality, shortest paths against it bound "
    "every oblivious routing that is meant (where the demands tell the terminals of one node apart: all that treat "
    "those alike).",
    "optimum": "A routing that reaches the number, and an adversary that proves that no oblivious routing that is "
    "meant does better (where the demands tell the terminals of one node apart: none that treats those alike).",
    "lengths": "A length for every channel: by weak duality, shortest paths under these lengths bound every routing "
    "under uniform traffic.",
    "capacity": "A routing that reaches the number under uniform traffic, channel lengths whose shortest paths prove "
    "that no routing does better, or both.",
    # one routing
    "traffic-loads": "The loads of all channels under this traffic, summed again from the routing.",
    "path-length": "The hops of all pairs, summed again from the routing, and shortest distances, computed again.",
    "random-traffic": "Random traffic matrices, drawn again from their seeds and evaluated again by other code.",
    "sampled": "Random packets with a seed: a confidence interval and no proof; the same command gives the same one.",
    "load-run": "A packet simulation with a seed, run again by other code: its counts give the interval.",
    # hashing
    "hashed-flows": "The flows of the report, each with the probabilities of its channels as the routing has them: the "
    "distributions of their sums, formed again in whole numbers.",
    "hashed-draws": "Paths of all flows, drawn again from the seed: their largest loads give the interval.",
    "split": "The probabilities of splits under a fair hash, added up again in whole numbers.",
    # deadlock
    "channel-order": "A number for every channel that grows along every dependency, so that there is no cycle (Dally "
    "& Seitz).",
    "channel-cycle": "A cycle of channels, each held by a packet that waits for the next one.",
    "virtual-channels": "An assignment of virtual channels, and a number for each that grows along every dependency, "
    "so that there is no cycle.",
    "lane-order": "A number for every virtual lane of a channel that grows along every dependency, so that there is "
    "no cycle.",
    "lane-cycle": "A cycle of virtual lanes, each held by a packet of its service level that waits for the next one.",
    # failures
    "failure": "The network without what failed: a permutation that reaches the load with potentials that bound it, "
    "or two terminals without a path.",
    "every-failure": "Every single failure up to symmetry has a claim with evidence in this report: the number is the "
    "worst of them.",
    "drawn-failures": "Random failures, drawn again from their seeds; the worst case after each of them is proved.",
    # documents
    "document": "The document itself, which the report holds, read and checked again.",
    # multistage networks
    "packet-run": "A deterministic run, simulated again step by step by other code.",
    "circuit-run": "A deterministic run, simulated again level by level by other code.",
    "pipelined-circuit-run": "A deterministic run with placeholders and cancellations, simulated again by other code.",
    "fault-propagation": "Erasure of blocks and propagation of faults, carried out again by other code.",
    "trial-runs": "Random runs, each drawn again from the number of its trial and simulated again by other code.",
    "splitter-enumeration": "A subset that has this few neighbours, and an enumeration, done again, of all sets of "
    "outputs: no subset has fewer.",
    "splitter-subset": "A subset of inputs that has just these neighbours: the least number is at most theirs.",
    "splitter-spectrum": "An upper bound on the second eigenvalue of the splitter, checked in integers: it bounds "
    "every subset's neighbours from below (Tanner).",
    "splitter-subsets": "A subset with this fraction, and an enumeration, done again, of all subsets of its size.",
    # calls
    "call-run": "Random calls and hang-ups with a seed, run again by other code.",
    "call-together": "Requests at the same time after random calls with a seed, run again by other code.",
    "call-sequence": "Calls and hang-ups, replayed by other code, after which the on-line algorithm refuses a call.",
    "call-witness": "Calls along disjoint paths that leave no free path from an idle input to an idle output.",
    "call-refutation": "A refutation: every lemma follows by unit propagation, and the last one is the empty clause, "
    "so that no calls block another one.",
    "call-paths": "A path for every pair, checked to be disjoint from all others.",
    "call-cut": "A set of switches that all paths of more inputs than it has switches must pass.",
    "all-permutations": "Every permutation, with disjoint paths found again for each.",
    # cubes
    "destination-graph": "The paths of all nodes, compared again slot by slot; where two packets meet, the two are "
    "named.",
    "counting-bound": "A counting argument that holds for every destination graph of this size, evaluated again.",
    "refutation": "A refutation: every lemma follows by unit propagation, and the last one is the empty clause, so "
    "that no graph with fewer steps exists.",
    "cube-run": "The move of every packet at every step, checked: no channel carries two packets at once.",
    "cube-trials": "Random runs, each with a seed of its own, run again by other code.",
    # studies
    "study": "A study of a published number: the same command computes it again.",
}
