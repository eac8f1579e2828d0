import { nodeClockTolerance } from '@watchword/protocol';
import { metadataPath } from '@watchword/server/features/metadata';
import { broken, type Finding, ok, warning } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';

/** Milliseconds by which a clock is ahead of the clock of this machine, at least and at most. */
interface Difference {
  readonly least: number;
  readonly most: number;
}

const advice = 'synchronize the clocks of all machines by NTP (timedatectl set-ntp true)';
// Milliseconds. What client libraries accept at most, the strictest none: beyond it they refuse ID tokens and JWTs (RFC 7519 §4.1.4).
const breaking = 60_000;
const expected = `clocks within ${nodeClockTolerance / 1000} s, because tokens and ID tokens have times`;

/** The clock of the server, and that of the proxy if it dates the answers. */
export const clockCheck: Check = {
  name: 'clock',
  async run({ baseUrl, clock, echo, send }: Reached): Promise<readonly Finding[]> {
    const reply = await send(`${baseUrl}${metadataPath}`);
    // A cache keeps the Date of the answer, and says how old it is.
    const age = Number(reply.headers.age ?? 0) * 1000;
    const dated = Date.parse(String(reply.headers.date ?? '')) + age;
    const findings: Finding[] = [];
    if (echo !== undefined) {
      const before = clock.now();
      const { time } = await echo();
      findings.push(findingOf('the clock of the server', { least: time - clock.now(), most: time - before }));
    }
    // A Date header has whole seconds, so the clock can be up to a second later.
    const difference = { least: dated - reply.received, most: dated + 1000 - reply.sent };
    if (!Number.isNaN(dated) && (findings.length === 0 || isOff(difference))) {
      findings.push(findingOf('the clock that dates the answers (Date header)', difference));
    }
    return findings;
  },
};

function isOff({ least, most }: Difference, by = nodeClockTolerance): boolean {
  return least > by || most < -by;
}

function findingOf(which: string, difference: Difference): Finding {
  if (!isOff(difference))
    return ok(`${which} agrees with that of this machine within ${nodeClockTolerance / 1000} s`);
  const isAhead = difference.least > 0;
  const seconds = (Math.abs(isAhead ? difference.least : difference.most) / 1000).toFixed(1);
  const severity = isOff(difference, breaking) ? broken : warning;
  return severity(`${which} is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} the clock of this machine`, {
    expected,
    advice: `${advice}; "date -u" on each machine shows which one is wrong`,
  });
}
