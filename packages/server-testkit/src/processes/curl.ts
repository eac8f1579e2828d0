import { basic, readAnswer } from '../servers/server.ts';

/**
 * Runs a curl command of the documentation with `fetch`. It supports the options `-u user:password`, `-d data`, `-H header` and
 * `-X method`. A machine with only Node.js has no curl.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the answer
export async function curl(command: string): Promise<any> {
  const words = [...command.replaceAll(/\\\n/g, ' ').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  );
  if (words.shift() !== 'curl') throw new Error(`not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let method: string | undefined;
  let url = '';
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-u') headers.authorization = basic(words.shift() ?? '');
    else if (word === '-d') data.push(words.shift() ?? '');
    else if (word === '-X') method = words.shift();
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(words.shift() ?? '') ?? [];
      headers[name.toLowerCase()] = value;
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`the option ${word} of curl is not supported here`);
  }
  method ??= data.length === 0 ? 'GET' : 'POST';
  if (data.length > 0) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  const body = data.length === 0 ? {} : { body: data.join('&') };
  return (await readAnswer(await fetch(url, { method, headers, ...body }))).json;
}
