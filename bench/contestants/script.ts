import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of a fixed answer, which the parent process gives to a script. */
export interface FixedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the parent process gave to this script. */
export function given<Value>(): Value {
  return JSON.parse(process.env.BENCH_GIVEN ?? 'null') as Value;
}

/** Opens a free port, whose number the parent process reads from standard output. */
export function listen(server: Server, handler: (port: number) => RequestListener): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    server.on('request', handler(port));
    console.log(port);
  });
}
