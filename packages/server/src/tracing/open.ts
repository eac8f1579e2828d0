import type { Tracing, TracingOptions } from './tracing.ts';

/** Loads the SDK of OpenTelemetry, which a server without tracing does not need. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(options);
}
