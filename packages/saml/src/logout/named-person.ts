import type { SamlDependencies } from '../dependencies.ts';
import { SamlRefusal } from '../refusal.ts';
import { decryptElement, undecipherable } from '../response/decrypt.ts';
import { requireEncryptionForm } from '../response/encryption-rules.ts';
import { simpleText } from '../response/simple-text.ts';
import { strictXml } from '../response/strict-xml.ts';
import { saml } from '../xml/namespaces.ts';
import type { RedirectMessage } from './redirect-message.ts';

/** The name id of the one person that a LogoutRequest is about, encrypted or not. @throws SamlRefusal */
export async function namedPerson(
  { xml, root }: Pick<RedirectMessage, 'xml' | 'root'>,
  { options }: Pick<SamlDependencies, 'options'>,
): Promise<string> {
  const [person, ...others] = root.children.filter(
    ({ namespace, name }) => namespace === saml && /^(?:BaseID|NameID|EncryptedID)$/.test(name),
  );
  if (person === undefined || person.name === 'BaseID' || others.length > 0) {
    throw new SamlRefusal('structure', 'the LogoutRequest must have one NameID or EncryptedID, and one only');
  }
  if (person.name === 'NameID') return simpleText(person);
  requireEncryptionForm(person, options);
  const decrypted = strictXml(await decryptElement(xml, 'EncryptedID', options.encryption));
  if (decrypted.namespace !== saml || decrypted.name !== 'NameID') throw undecipherable();
  return simpleText(decrypted);
}
