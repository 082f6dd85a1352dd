"""A three-level k-ary fat tree (Al-Fares, Loukissas & Vahdat, SIGCOMM 2008) and its D-mod-K forwarding table.

k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches; k/2 hosts at every edge switch, as terminals.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from routeproof.core.network import Network

Int32 = npt.NDArray[np.int32]


def fat_tree(k: int) -> Network:
    """Edge switches 0 .. k^2/2 - 1, then aggregation, then core; host h is at edge switch h // (k/2)."""
    h = k // 2
    edges, aggregations = k * h, k * h
    pod, a, b = (x.ravel() for x in np.meshgrid(np.arange(k), np.arange(h), np.arange(h), indexing="ij"))
    edge, up = pod * h + a, edges + pod * h + b  # edge switch a and aggregation switch b of the pod
    above, core = edges + pod * h + a, edges + aggregations + a * h + b  # aggregation switch a, its b-th core switch
    links = np.concatenate([np.stack([edge, up], axis=1), np.stack([above, core], axis=1)])
    host = np.repeat(np.arange(edges), h)
    return Network.of(
        f"fat tree of {k}-port switches",
        edges + aggregations + h * h,
        np.concatenate([links, links[:, ::-1]]),
        source=host.tolist(),
        sink=host.tolist(),
    )


def d_mod_k(network: Network, k: int) -> Int32:
    """int32, shape (N, T): by which channel a packet for host d leaves; upwards by the digits of d (Zahavi 2012)."""
    h = k // 2
    edges = k * h
    v, d = np.arange(network.num_nodes)[:, None], np.arange(network.num_terminals)[None, :]
    target_edge = d // h
    target_pod = target_edge // h
    pod = (v % edges) // h
    first, second = d % h, d // h % h
    up_from_edge = edges + pod * h + first
    core = 2 * edges + (v % h) * h + second
    down_from_core = edges + target_pod * h + (v - 2 * edges) // h
    inside = np.where(pod == target_pod, target_edge, core)
    step = np.where(v < edges, up_from_edge, np.where(v < 2 * edges, inside, down_from_core))
    ends = np.full((network.num_nodes, network.num_nodes), -1, dtype=np.int32)
    ends[network.tail, network.head] = np.arange(network.num_channels)
    return np.where(v == target_edge, -1, ends[v, step]).astype(np.int32)
