import { type ThreadKind, threadKinds } from '../measure/processor-time.ts';
import { median, type Spread, shown, spreadOf } from '../measure/statistics.ts';
import type { Measured, Measurement } from './measured.ts';

type Figure = Exclude<keyof Measurement, 'threads'>;

/** The median of a figure and its range. */
export function spread(measurements: readonly Measurement[], figure: Figure): Spread {
  return spreadOf(measurements.map((each) => each[figure]));
}

/** Ratios of each round, with the range of all rounds. */
export function ratioOf(
  these: Measured,
  those: Measured,
  value: (measurement: Measurement) => number,
): Spread {
  return spreadOf(these.rounds.map((each, round) => value(each) / value(those.rounds[round] as Measurement)));
}

/** Medians, such as `main 512, worker 101, V8 30, pool 2`. */
export function threadTimes(
  measured: readonly { readonly threads: ReadonlyMap<ThreadKind, number> }[],
): string {
  const of = (kind: ThreadKind) => median(measured.map(({ threads }) => threads.get(kind) ?? 0));
  return threadKinds.map((kind) => `${kind} ${of(kind).toFixed(of(kind) < 100 ? 1 : 0)}`).join(', ');
}

export function report({ name, rounds, paced, hasDatabase, idleMemory, memory }: Measured): void {
  const of = (figure: Figure, digits = 1, measurements = rounds) =>
    shown(spread(measurements, figure), digits);
  const [server, database] = [spread(rounds, 'server').median, spread(rounds, 'database').median];
  const requests = spread(rounds, 'requests').median;
  const parts = [
    name.padEnd(24),
    `${of('perSecond', 0).padStart(6)}/s`,
    ...(requests > 1 ? [`${requests.toFixed(0)} requests each`] : []),
    `p50 ${of('p50')} ms`,
    `p99 ${of('p99')} ms`,
    `server ${of('server')} us of processor each (${threadTimes(rounds)})`,
    `generator ${of('generator')} us`,
    ...(hasDatabase
      ? [`database ${of('database')} us (${((database / (server + database)) * 100).toFixed(0)} %)`]
      : []),
    `${idleMemory.toFixed(0)} to ${memory.toFixed(0)} MB`,
  ];
  console.log(parts.join('  '));
  if (paced.length > 0) {
    console.log(
      `${''.padEnd(24)} at ${of('perSecond', 0, paced)}/s: p50 ${of('p50', 2, paced)} ms  p99 ${of('p99', 2, paced)} ms  server ${of('server', 1, paced)} us each (${threadTimes(paced)})`,
    );
  }
}

export function reportRatios(these: Measured, those: Measured): void {
  const ratio = (value: (measurement: Measurement) => number) => shown(ratioOf(these, those, value), 2);
  const main = ({ threads }: Measurement) => threads.get('main') ?? 0;
  const writer = ({ threads }: Measurement) => threads.get('worker') ?? 0;
  console.log(
    `${these.name} / ${those.name}: processor time of the main thread ${ratio(main)}, ` +
      `with the writer ${ratio((each) => main(each) + writer(each))}, of the server ${ratio(({ server }) => server)}, ` +
      `with the database ${ratio(({ server, database }) => server + database)}, ` +
      `rate ${ratio(({ perSecond }) => perSecond)}`,
  );
}
