import { createConnection } from 'node:net';
import { quantiles } from './statistics.ts';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The bytes of the next request, whole. */
  readonly nextRequest: () => Buffer;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers whose status was not 200. */
  readonly failures: number;
}

/**
 * Loads a server over keep-alive connections, one request at a time on each. It writes prepared bytes and
 * reads no more of an answer than its status and length, so that it costs less than any server it measures.
 */
export async function httpLoad(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + options.durationMs;
  const failures = await Promise.all(
    Array.from({ length: options.connections }, () => runConnection(options, end, latencies)),
  );
  const seconds = (performance.now() - started) / 1000;
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / seconds,
    ...quantiles(latencies),
    failures: failures.reduce((sum, count) => sum + count, 0),
  };
}

function runConnection(options: LoadOptions, end: number, latencies: number[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: options.port, host: '127.0.0.1', noDelay: true });
    let failures = 0;
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(options.nextRequest());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = answerLength(received);
      if (length === undefined || received.length < length) return;
      const now = performance.now();
      latencies.push(now - sentAt);
      if (received.toString('latin1', 9, 12) !== '200') failures += 1;
      received = Buffer.alloc(0);
      if (now < end) send();
      else socket.end(() => resolve(failures));
    });
  });
}

function answerLength(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  return headEnd + 4 + Number(length);
}
