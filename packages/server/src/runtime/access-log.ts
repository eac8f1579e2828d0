import type { Logger, LogSink } from './logger.ts';
import type { TraceIds } from './request-tracing.ts';

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
  /** `undefined` if the request has no trace. */
  readonly trace?: TraceIds | undefined;
}

const infoLevel = 30;
// Nothing in it needs an escape.
const plainAddress = /^[0-9a-f.:]+$/;

/**
 * Writes one line for each request, in the format of the logger. The line is a template string, because the general
 * serializer took a tenth of the time of a token-info lookup.
 */
export function accessLog(logger: Logger, { stream }: LogSink): (line: AccessLine) => void {
  if (!logger.isLevelEnabled('info')) return () => {};
  // Of a worker, its number.
  const bindings = JSON.stringify({ pid: process.pid, ...logger.bindings() }).slice(1, -1);
  return ({ requestId, method, route, status, milliseconds, address, error, trace }) => {
    // The server or the parser makes ids, methods and routes. An address can come from a header, so it is escaped.
    const client = plainAddress.test(address) ? `"${address}"` : JSON.stringify(address);
    const end = error === null ? '"msg":"answered"' : `"error":"${error}","msg":"answered with an error"`;
    const traced = trace === undefined ? '' : `"trace_id":"${trace.traceId}","span_id":"${trace.spanId}",`;
    // One template: each text of which a line is made is copied once more when the line is written.
    stream.write(
      `{"level":${infoLevel},"time":${Date.now()},${bindings},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(milliseconds * 100) / 100},"address":${client},${traced}${end}}\n`,
    );
  };
}
