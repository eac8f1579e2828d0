import type { BrandingLogo } from '@watchword/protocol';

/** Bytes. A page waits for it. */
export const maxLogoBytes = 128 * 1024;

const dataUrl = /^data:(image\/svg\+xml|image\/png);base64,([A-Za-z0-9+/]+={0,2})$/;
const pngSignature = '89504e470d0a1a0a';

/** What a picture could do that is no picture. The server also serves it so that no browser runs or loads any of it. */
const active =
  /<\s*(?:script|foreignobject|iframe|object|embed|use\s[^>]*href\s*=\s*["']?\s*(?!["'#\s]))|<!\s*(?:doctype|entity)|\son\w+\s*=|javascript:|(?:href|src)\s*=\s*["']?\s*(?:https?:|\/\/)/i;

/** The logo of a data URL, or the problem of it. */
export function readLogo(url: string): BrandingLogo | undefined | string {
  if (url === '') return undefined;
  const [, type, content = ''] = dataUrl.exec(url) ?? [];
  if (type === undefined) return 'expected an SVG or PNG picture as a data URL in base64';
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > maxLogoBytes) {
    return `expected at most ${maxLogoBytes / 1024} KiB, got ${Math.ceil(bytes.length / 1024)} KiB`;
  }
  if (type === 'image/png') {
    return bytes.subarray(0, 8).toString('hex') === pngSignature
      ? { type, content }
      : 'expected a PNG picture, got other bytes';
  }
  const svg = bytes.toString();
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(svg) || svg.includes('\uFFFD')) {
    return 'expected an SVG picture in UTF-8, got other bytes';
  }
  const [found] = active.exec(svg) ?? [];
  if (found !== undefined) {
    return 'expected an SVG picture without scripts, event handlers, document types and addresses of other hosts';
  }
  return { type: 'image/svg+xml', content };
}

export function logoUrl(logo: BrandingLogo | undefined): string {
  return logo === undefined ? '' : `data:${logo.type};base64,${logo.content}`;
}
