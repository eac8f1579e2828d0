export { isMailAddress, isSender } from './address.ts';
export { MailError, type MailErrorKind } from './mail-error.ts';
export { isMailUrl } from './mail-url.ts';
export {
  createMailTransport,
  type MailMessage,
  type MailTransport,
  type MailTransportOptions,
} from './transport.ts';
