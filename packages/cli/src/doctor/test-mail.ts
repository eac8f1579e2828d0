import { randomUUID } from 'node:crypto';
import { broken, type Finding, ok } from '@watchword/doctor/finding';
import { mailTransportOf } from '@watchword/server/core/people/mailing';
import { escapeHtml } from '@watchword/server/pages/texts/presentable';
import { configurationOf, type Options } from '../command/options.ts';
import { createReport } from './report.ts';

/** Sends one mail as the server does, and says what the mail server answers. */
export async function sendTestMail(to: string, options: Options): Promise<void> {
  const { configuration } = await configurationOf(options);
  const report = createReport(options, { mail: to });
  report.add({ check: 'mail', ...(await findingOf(to, configuration)) });
  report.end();
}

type Configuration = Awaited<ReturnType<typeof configurationOf>>['configuration'];

async function findingOf(to: string, configuration: Configuration): Promise<Finding> {
  const transport = await mailTransportOf(configuration);
  if (transport === undefined) {
    return broken('no mail server is set', {
      expected: 'the configuration of the server, with mail.url',
      advice: 'set mail.url and mail.from, or name the configuration of the server by --config',
    });
  }
  const text = `${configuration['pages.productName']} can send mail: ${configuration.baseUrl}`;
  const mail = { to, language: 'en', subject: 'Test mail', text, html: `<p>${escapeHtml(text)}</p>` };
  try {
    await transport.send({ ...mail, id: randomUUID() });
    return ok(`the mail server of ${configuration['mail.url']} has accepted a mail to ${to}`);
  } catch (error) {
    return broken(`the mail was not sent: ${(error as Error).message}`, {
      expected: 'a mail server that accepts a mail to this address',
      advice: 'correct the settings mail.…, or ask those who run the mail server',
    });
  } finally {
    await transport.close();
  }
}
