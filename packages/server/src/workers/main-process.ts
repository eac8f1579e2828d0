import type { SettingSources } from '../config/effective-settings.ts';
import type { Configuration } from '../config/settings.ts';
import { Ports } from '../http/connections/ports.ts';
import { connectionRejection } from '../http/connections/rejected-connection.ts';
import { answerStarting } from '../http/starting.ts';
import { listen } from '../listen.ts';
import { createLogger, type Logger, type LogSink } from '../runtime/log/logger.ts';
import { metricsQuestion } from '../runtime/metrics/exposition.ts';
import { Metrics } from '../runtime/metrics/metrics.ts';
import { version } from '../version.ts';
import { AcceptingPort } from './accepting-port.ts';
import { type Accepted, Distribution } from './distribution.ts';
import { passOnLines } from './log-lines.ts';
import type { Assignment, DemoKind, PortName, Report, ServerFacts } from './messages.ts';
import { SiblingHub } from './sibling-hub.ts';
import { Supervisor } from './supervisor.ts';
import { WorkerProcess } from './worker-process.ts';
import { WorkerWatch } from './worker-watch.ts';

export interface MainProcessOptions {
  readonly configuration: Configuration;
  readonly settingSources: SettingSources;
  readonly sink: LogSink;
  /** Number of workers. */
  readonly workers: number;
  readonly demo: DemoKind | undefined;
}

// Milliseconds that the end of the server waits for connections that no worker has yet.
const handOverPatience = 1000;

/** The process that the operator has started. It opens the ports, gives each connection to a worker, and answers nothing. */
export class MainProcess {
  readonly logger: Logger;
  readonly #options: MainProcessOptions;
  readonly #metrics = new Metrics(version);
  readonly #ports: AcceptingPort[] = [];
  readonly #starting: (accepted: Accepted) => void;
  readonly #distribution: Distribution;
  readonly #supervisor: Supervisor;
  readonly #hub: SiblingHub;
  readonly #watch: WorkerWatch;
  #endWatch = () => {};
  readonly #opened: Partial<Record<PortName, number>> = {};

  constructor(options: MainProcessOptions) {
    const { configuration, sink, workers } = options;
    this.#options = options;
    this.logger = createLogger(configuration['log.level'], sink, {
      node: configuration['log.node'],
      version,
    });
    this.#starting = this.#answerStarting();
    this.#watch = new WorkerWatch(this.logger);
    this.#distribution = new Distribution((accepted) => this.#starting(accepted));
    this.#supervisor = new Supervisor({
      count: workers,
      logger: this.logger,
      start: (number, isFirst) => this.#startWorker(number, isFirst),
      onReady: (worker) => this.#distribution.add(worker),
      onEnd: (worker) => this.#distribution.remove(worker),
    });
    this.#hub = new SiblingHub(() => this.#supervisor.ready, {
      [metricsQuestion.name]: () => this.#metricsPart(),
    });
    this.#metrics.observeDroppedLogLines(() => sink.dropped());
    this.#metrics.observeWorkers(0, () => this.#supervisor.restarted);
  }

  /**
   * Opens the ports and starts the workers. Until all of them are ready, requests are answered 503.
   *
   * @throws ListenError, WorkerError; then everything is closed again
   */
  async start(): Promise<ServerFacts> {
    const { configuration } = this.#options;
    const { host, port, 'metrics.host': metricsHost, 'metrics.port': metricsPort } = configuration;
    try {
      this.#opened.server = await listen(this.#port('server'), { host, port, flags: '--' });
      if (metricsPort !== undefined) {
        const address = { host: metricsHost, port: metricsPort, flags: '--metrics-' } as const;
        this.#opened.metrics = await listen(this.#port('metrics'), address);
        this.logger.info(
          { host: metricsHost, port: this.#opened.metrics },
          'metrics are at a port of their own',
        );
      }
      this.#endWatch = this.#watch.start();
      return await this.#supervisor.start();
    } catch (error) {
      this.closePort();
      throw error;
    }
  }

  /** Rejects with a WorkerError when the server cannot go on. Then everything is closed. */
  async untilFailure(): Promise<never> {
    try {
      return await this.#supervisor.failed;
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** Every worker reads again what can change while the server runs. */
  reload(): void {
    for (const worker of this.#supervisor.ready) worker.send({ kind: 'reload' });
  }

  closePort(): void {
    // From now on the deadline of the shutdown ends workers that hang.
    this.#endWatch();
    for (const port of this.#ports) port.close();
  }

  /** Closes the ports and ends the workers in order. @returns whether all of them ended in order */
  async close(): Promise<boolean> {
    this.closePort();
    const timeUp = new Promise((resolve) => setTimeout(resolve, handOverPatience).unref());
    await Promise.race([this.#distribution.idle(), timeUp]);
    return this.#supervisor.end('the server ends');
  }

  /** Closes the ports and ends the workers at once. */
  async abandon(): Promise<void> {
    this.closePort();
    await this.#supervisor.kill();
  }

  #port(name: PortName): AcceptingPort {
    const port = new AcceptingPort((connection) => this.#distribution.accept({ port: name, connection }));
    this.#ports.push(port);
    return port;
  }

  /** Answers while there is no worker. */
  #answerStarting(): (accepted: Accepted) => void {
    const { configuration } = this.#options;
    const { pathname } = new URL(configuration.baseUrl);
    const ports = new Ports(
      {
        requestTimeout: configuration['http.requestTimeout'],
        ownReader: configuration['http.ownReader'],
        reject: connectionRejection(this.#metrics, this.logger),
      },
      answerStarting(pathname.replace(/\/$/, ''), this.logger, configuration.trustedProxies),
    );
    const receive = ports.receive();
    return ({ connection }) => {
      receive(connection);
      connection.resume();
    };
  }

  #startWorker(number: number, isFirst: boolean): WorkerProcess {
    const { configuration, settingSources, demo, workers, sink } = this.#options;
    const assignment: Assignment = {
      number,
      count: workers,
      configuration,
      settingSources,
      ports: this.#opened,
      isFirst,
      demo,
    };
    const worker = new WorkerProcess(assignment, {
      reported: (from, report) => this.#handle(from, report),
    });
    worker.ended.then(() => this.#watch.remove(worker));
    passOnLines(worker.log, (lines) => sink.stream.write(lines));
    return worker;
  }

  #handle(worker: WorkerProcess, report: Report): void {
    if (report.kind === 'loaded') this.#watch.add(worker);
    else if (report.kind === 'alive') this.#watch.answered(worker);
    else if (report.kind === 'taken') this.#distribution.taken(worker);
    else if (report.kind === 'leaving') this.#distribution.leave(worker);
    else if (report.kind === 'ask') void this.#hub.ask(worker, report);
    else if (report.kind === 'answer') this.#hub.answered(report);
    else if (report.kind === 'news') this.#hub.tell(worker, report);
  }

  /** What this process adds to the sums of the workers. What it needs for the event loop is not worth an average. */
  async #metricsPart() {
    const { families, requests } = await this.#metrics.part();
    return { requests, families: families.filter(({ name }) => !name.startsWith('nodejs_')) };
  }
}
