// SPDX-License-Identifier: Apache-2.0
// What several nodes on one log in PostgreSQL do. Each is a figure of its own, so that one that fails does not hide the
// others; `cluster` means all of them, `cluster-redis` those of the gate on Redis.
import { clusterHolds, clusterSales, clusterStandby } from './cluster_holds.mjs';
import { clusterRefusals, clusterWinners } from './cluster_gate.mjs';
import { clusterRedisHerd, clusterRedisHolds, clusterRedisRefill, clusterRedisStopped } from './cluster_redis.mjs';
import { clusterTakeOver } from './cluster_takeover.mjs';
import { clusterFollower } from './cluster_follower.mjs';
import { clusterReady } from './cluster_ready.mjs';

export const cluster = {
    'cluster-holds': clusterHolds, 'cluster-standby': clusterStandby, 'cluster-sales': clusterSales, 'cluster-refusals': clusterRefusals,
    'cluster-winners': clusterWinners, 'cluster-takeover': clusterTakeOver, 'cluster-follower': clusterFollower, 'cluster-ready': clusterReady,
    'cluster-redis-herd': clusterRedisHerd, 'cluster-redis-holds': clusterRedisHolds, 'cluster-redis-refill': clusterRedisRefill,
    'cluster-redis-stopped': clusterRedisStopped,
};
