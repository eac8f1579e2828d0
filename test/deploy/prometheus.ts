import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { freePort } from '@watchword/testkit/free-port';

/** The programs of Prometheus: on the path, or where the variables say. */
export const programs = {
  prometheus: process.env.PROMETHEUS ?? 'prometheus',
  promtool: process.env.PROMTOOL ?? 'promtool',
} as const;

/** Why a test is skipped that needs the program; `false` if it is there. */
export function missing(name: keyof typeof programs): string | false {
  const found = spawnSync(programs[name], ['--version']).error === undefined;
  return found
    ? false
    : `${name} is not on this machine: put it on the path, or name it by ${name.toUpperCase()}`;
}

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [seconds: number, value: string];
}

export interface Prometheus extends AsyncDisposable {
  /** From now on, the job has the servers at these ports as targets. */
  scrape(job: string, ...ports: readonly number[]): void;
  /** @throws Error if the answer is no success */
  ask(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
  query(expr: string): Promise<readonly Series[]>;
  /** Resolves when the alert fires for the job; without a job, when it fires. */
  fires(alert: string, job?: string): Promise<void>;
  /** Resolves when the alert does not fire any more. */
  ends(alert: string, job?: string): Promise<void>;
}

/**
 * Prometheus, its data in a temporary directory.
 *
 * @param rules a file, whose rules it evaluates each second
 * @param seconds between two scrapes, within which the metrics must come
 */
export async function startPrometheus(rules: string, seconds = 1): Promise<Prometheus> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const targets = directory.file('targets.json');
  const jobs = new Map<string, readonly number[]>();
  const writeTargets = () => {
    const groups = [...jobs].map(([job, ports]) => ({
      targets: ports.map((each) => `127.0.0.1:${each}`),
      labels: { job },
    }));
    // Whole at once, because Prometheus reads it as soon as it changes.
    writeFileSync(`${targets}.new`, JSON.stringify(groups));
    renameSync(`${targets}.new`, targets);
  };
  writeTargets();
  writeFileSync(
    directory.file('prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: `${seconds}s`, evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [
        { job_name: 'servers', file_sd_configs: [{ files: [targets], refresh_interval: '1s' }] },
      ],
    }),
  );
  const flags = [
    `--config.file=${directory.file('prometheus.yml')}`,
    `--storage.tsdb.path=${directory.file('data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--enable-feature=exemplar-storage',
  ];
  const child = spawn(programs.prometheus, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    assert.equal(child.exitCode, null, log);
    return await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }, 50);
  const ask: Prometheus['ask'] = async (path, parameters) => {
    const answer = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = (await answer.json()) as {
      status: string;
      data: unknown;
      error?: string;
    };
    assert.equal(status, 'success', `${JSON.stringify(parameters)}: ${error}`);
    return data;
  };
  const query: Prometheus['query'] = async (expr) =>
    ((await ask('query', { query: expr })) as { result: readonly Series[] }).result;
  const isFiring = async (alert: string, job?: string) => {
    const ofJob = job === undefined ? '' : `,job="${job}"`;
    return (await query(`ALERTS{alertname="${alert}",alertstate="firing"${ofJob}}`)).length > 0;
  };
  return {
    ask,
    query,
    scrape(job, ...ports) {
      jobs.set(job, ports);
      writeTargets();
    },
    fires: (alert, job) => until(() => isFiring(alert, job), 500),
    ends: (alert, job) => until(async () => !(await isFiring(alert, job)), 500),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
}
