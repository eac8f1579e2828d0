import type { Logger } from '../log/logger.ts';
import type { Siblings, Topic } from './siblings.ts';

const ignoredForwardingTopic: Topic<true> = { name: 'ignored-forwarding' };

/** Warns once, for all processes that answer at the port, about a proxy whose `X-Forwarded-For` is ignored. */
export function ignoredForwarding(logger: Logger, siblings: Siblings): (peer: string) => void {
  let isReported = false;
  siblings.listen(ignoredForwardingTopic, () => {
    isReported = true;
  });
  return (peer) => {
    if (isReported) return;
    isReported = true;
    siblings.tell(ignoredForwardingTopic, true);
    logger.warn(
      { peer },
      `a request with X-Forwarded-For came from ${peer}, which trustedProxies does not name: the header is ignored, and the limits of failed attempts count all clients behind that address as one. If this is your proxy, name its address in trustedProxies; otherwise a client has sent the header itself`,
    );
  };
}
