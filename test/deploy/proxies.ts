import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files of `deploy/proxy` that a proxy reads as they are. */
export const proxyFiles = { nginx: 'nginx.conf', haproxy: 'haproxy.cfg', caddy: 'Caddyfile' } as const;
export type ProxyName = keyof typeof proxyFiles;

export function readProxyFile(name: ProxyName): string {
  return readFileSync(`${root}deploy/proxy/${proxyFiles[name]}`, 'utf8');
}

/** As an operator changes a file for a base URL with a path: each line `# path:` takes the place of the line above it. */
export function withPath(text: string): string {
  const changed = text.replace(/^(\s*).*\n\s*# path: (.*)$/gm, '$1$2');
  assert.notEqual(changed, text);
  assert.doesNotMatch(changed.replace(/^.*each line `# path:`.*$|^# \/auth,.*$/gm, ''), /# path:/);
  return changed;
}

/** Replaces what differs between machines. @throws AssertionError if the file has it no more */
export function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((before, [from, to]) => {
    assert.ok(before.includes(from), `expected ${JSON.stringify(from)} in ${before}`);
    return before.replaceAll(from, to);
  }, text);
}

/** What ingress-nginx is told, by its ConfigMap and by the annotations that an ingress of the chart has by default. */
export function ingressNginx(): Readonly<Record<string, string>> {
  const { controller } = parse(readFileSync(`${root}deploy/proxy/ingress-nginx.yaml`, 'utf8'));
  const { ingress } = parse(readFileSync(`${root}deploy/helm/watchword/values.yaml`, 'utf8'));
  const prefix = 'nginx.ingress.kubernetes.io/';
  const annotations = Object.entries<string>(ingress.annotations).filter(([name]) => name.startsWith(prefix));
  return {
    ...controller.config,
    ...Object.fromEntries(annotations.map(([name, value]) => [name.slice(prefix.length), value])),
  };
}

/**
 * The file of nginx with the limits that ingress-nginx has, as its template writes them (rootfs/etc/nginx/template/nginx.tmpl): a
 * directive has the name of its value, `proxy_buffers` is put together from two.
 */
export function nginxWithIngressLimits(): string {
  const values = ingressNginx();
  const directives: Readonly<Record<string, string | undefined>> = {
    large_client_header_buffers: values['large-client-header-buffers'],
    client_max_body_size: values['proxy-body-size'],
    client_body_buffer_size: values['client-body-buffer-size'],
    proxy_buffer_size: values['proxy-buffer-size'],
    proxy_buffers: `${values['proxy-buffers-number']} ${values['proxy-buffer-size']}`,
    proxy_max_temp_file_size: values['proxy-max-temp-file-size'],
    proxy_read_timeout: `${values['proxy-read-timeout']}s`,
    keepalive_timeout: `${values['upstream-keepalive-timeout']}s`,
  };
  return Object.entries(directives).reduce((text, [name, value]) => {
    assert.ok(value !== undefined && !value.includes('undefined'), name);
    const line = new RegExp(`^(\\s*${name}) .*;$`, 'm');
    assert.match(text, line);
    return text.replace(line, `$1 ${value};`);
  }, readProxyFile('nginx'));
}
