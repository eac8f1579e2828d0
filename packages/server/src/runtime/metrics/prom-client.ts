/// <reference path="./prom-client-parts.d.ts" />

/**
 * The parts of prom-client that a server uses. Its index also loads the client of a push gateway, and with it TLS, at each start
 * (docs/adr/0083).
 */
import type * as library from 'prom-client';
import aggregatorRegistry from 'prom-client/lib/cluster.js';
import counter from 'prom-client/lib/counter.js';
import defaultMetrics from 'prom-client/lib/defaultMetrics.js';
import gauge from 'prom-client/lib/gauge.js';
import histogram from 'prom-client/lib/histogram.js';
import registry from 'prom-client/lib/registry.js';

export const AggregatorRegistry: typeof library.AggregatorRegistry = aggregatorRegistry;
export const Counter: typeof library.Counter = counter;
export const Gauge: typeof library.Gauge = gauge;
export const Histogram: typeof library.Histogram = histogram;
export const Registry: typeof library.Registry = registry;
export const collectDefaultMetrics: typeof library.collectDefaultMetrics = defaultMetrics;

export type Counter<Label extends string = string> = library.Counter<Label>;
export type Gauge<Label extends string = string> = library.Gauge<Label>;
export type Registry = library.Registry;
