/// <reference path="./prom-client-parts.d.ts" />

/**
 * The parts of prom-client that a server uses. Its index also loads the client of a push gateway, and with it TLS, at each start
 * (docs/adr/0083).
 */
export { default as AggregatorRegistry } from 'prom-client/lib/cluster.js';
export { default as Counter } from 'prom-client/lib/counter.js';
export { default as collectDefaultMetrics } from 'prom-client/lib/defaultMetrics.js';
export { default as Gauge } from 'prom-client/lib/gauge.js';
export { default as Histogram } from 'prom-client/lib/histogram.js';
export { default as Registry } from 'prom-client/lib/registry.js';
