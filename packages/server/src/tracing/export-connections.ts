import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Connections to the receiver, which the exporter of the library cannot end while it waits for an answer. */
export class ExportConnections {
  #agent: HttpAgent | undefined;

  /** @param protocol of the receiver, such as `https:` */
  readonly agent = (protocol: string): HttpAgent => {
    this.#agent ??=
      protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    return this.#agent;
  };

  /** Ends requests that have no answer yet. The error has no code of the network, so that they are not repeated. */
  giveUp(): void {
    const sockets = Object.values(this.#agent?.sockets ?? {});
    for (const socket of sockets.flatMap((each) => each ?? [])) {
      socket.destroy(new Error('the server shut down before the receiver answered'));
    }
    this.#agent?.destroy();
  }
}
