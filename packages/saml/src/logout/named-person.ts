import type { SamlDependencies } from '../dependencies.ts';
import { decryptElement, decryptionError } from '../response/decrypt.ts';
import { requireEncryptionForm } from '../response/encryption-rules.ts';
import { simpleText } from '../response/simple-text.ts';
import { strictXml } from '../response/strict-xml.ts';
import { SamlError } from '../saml-error.ts';
import { saml } from '../xml/namespaces.ts';
import type { RedirectMessage } from './redirect-message.ts';

/** The name id of the user whom a LogoutRequest names, encrypted or not. @throws SamlError */
export async function namedPerson(
  { xml, root }: Pick<RedirectMessage, 'xml' | 'root'>,
  { options }: Pick<SamlDependencies, 'options'>,
): Promise<string> {
  const [person, ...others] = root.children.filter(
    ({ namespace, name }) => namespace === saml && /^(?:BaseID|NameID|EncryptedID)$/.test(name),
  );
  if (person === undefined || person.name === 'BaseID' || others.length > 0) {
    throw new SamlError('structure', 'expected exactly one NameID or EncryptedID in the LogoutRequest');
  }
  if (person.name === 'NameID') return simpleText(person);
  requireEncryptionForm(person, options);
  const decrypted = strictXml(await decryptElement(xml, 'EncryptedID', options.encryption));
  if (decrypted.namespace !== saml || decrypted.name !== 'NameID') throw decryptionError();
  return simpleText(decrypted);
}
