import type { ErrorRuleName } from '@watchword/protocol';
import type { TraceIds } from '../request-tracing.ts';
import type { Logger, LogSink } from './logger.ts';

/** The data of one line of the access log. */
export interface AccessLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the address; `none` for an unknown address. Never the path or the query. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly address: string;
  /** The stable name of the error in the answer; `null` if the answer is not an error. */
  readonly error: string | null;
  /** The rule that the request broke; `undefined` if the answer is not an error. */
  readonly rule?: ErrorRuleName | undefined;
  /** Whether machines send such a request again and again, to find out how the server is. */
  readonly isProbe: boolean;
  /** `undefined` if the request has no trace. */
  readonly trace?: TraceIds | undefined;
}

const infoLevel = 30;
// Nothing in it needs an escape.
const plainAddress = /^[0-9a-f.:]+$/;

/**
 * Writes one line for each request, in the format of the logger. The line is a template string, because the general
 * serializer took a tenth of the time of a token-info lookup.
 *
 * @param hasProbes `false` leaves out probes that got no error
 */
export function accessLog(
  logger: Logger,
  { stream }: LogSink,
  hasProbes: boolean,
): (line: AccessLine) => void {
  if (!logger.isLevelEnabled('info')) return () => {};
  // `bindings` leaves the process id out.
  const bindings = JSON.stringify({ pid: process.pid, ...logger.bindings() }).slice(1, -1);
  return (line) => {
    const { requestId, method, route, status, milliseconds, address, error, rule, trace } = line;
    if (line.isProbe && !hasProbes && error === null) return;
    // The server or the parser makes or checks ids, methods and routes. An address can come from a header, so it is escaped.
    const client = plainAddress.test(address) ? `"${address}"` : JSON.stringify(address);
    const end =
      error === null
        ? '"msg":"answered"'
        : `"error":"${error}","rule":"${rule}","msg":"answered with an error"`;
    const traced = trace === undefined ? '' : `"trace_id":"${trace.traceId}","span_id":"${trace.spanId}",`;
    // One template: each text of which a line is made is copied once more when the line is written.
    stream.write(
      `{"level":${infoLevel},"time":${Date.now()},${bindings},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(milliseconds * 100) / 100},"address":${client},${traced}${end}}\n`,
    );
  };
}
