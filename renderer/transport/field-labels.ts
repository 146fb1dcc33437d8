import type { MethodName } from '@shared/contract/contract';
import type { ErrorReply } from '@shared/errors';

/** By method and by field of its input: the label beside which a person types it, where that is another word. */
export const fieldLabels: Partial<Record<MethodName, Readonly<Record<string, string>>>> = {
  'collections.make': { name: 'Name' },
  'collections.create': { name: 'Name' },
  'collections.rename': { name: 'Name' },
  'collections.completeFolder': { text: 'Path' },
  'collections.search': { text: 'Text to find' },
  'doctor.diagnose': {
    body: 'Body, exactly as it was sent',
    signature: 'Signature as received',
    publicKeyPem: 'Public key in PEM',
    claimedString: 'What the other side says it signed',
  },
  'environments.save': { name: 'Name', baseUrl: 'Base address' },
  'environments.setUp': {
    'setup.proxyUrl': 'Proxy',
    'setup.proxyUser': 'Proxy user',
    'setup.ca': 'Issuers to trust (CA)',
    'setup.clientCertificate': 'Client certificate',
    'setup.profile.tokenPath': 'Token path',
    'setup.profile.requestNames.consumerKey': 'Field of the consumer key',
    'setup.profile.requestNames.consumerSecret': 'Field of the consumer secret',
    'setup.profile.requestNames.product': 'Field of the product',
    'setup.profile.answerNames.accessToken': 'Field of the token',
    'setup.profile.answerNames.expiresIn': 'Field of its lifetime',
  },
  'forwarding.set': { url: 'Address', filter: 'Only those where' },
  'history.list': { search: 'Search the history' },
  'imports.run': { 'target.name': 'Name' },
  'inbox.list': { search: 'Search webhooks', filter: 'Filter' },
  'inbox.mark': { note: 'Note', tags: 'Tags' },
  'inbox.replay': { to: 'Send to' },
  'journey.list': { search: 'Search payments' },
  'keys.generate': { name: 'Name' },
  'keys.import': { name: 'Name', text: 'Private key' },
  'keys.update': { name: 'Name' },
  'keys.inspect': { text: 'A private or public key' },
  'keys.checkPair': { publicKeyText: 'Public key, as the other side has it' },
  'listener.setRules': { text: 'Rules' },
  'listener.tryRules': { text: 'Rules' },
  'proxy.list': { text: 'Search exchanges' },
  'proxy.start': { target: 'Target', publicKey: 'Public key of your backend' },
  'receiver.check': {
    url: 'Address of your webhook handler',
    stateUrl: 'State address',
    secret: 'Webhook secret',
  },
  'tunnel.start': { way: 'Command' },
  'sandbox.registerKeys': { 'pems.0': 'Public key' },
  'updates.setSource': { publicKeyPem: "Publisher's public key" },
  'team.save': { name: 'Name', address: 'Address', password: 'Password' },
  'team.test': { address: 'Address', password: 'Password' },
  'team.open': { password: 'Password' },
  'webhooks.sendTest': { callbackUrl: 'Send to', payload: 'Other members' },
};

/** Has a refused call name the field by its label, as the one who typed it knows it. */
export function nameField(method: MethodName, error: ErrorReply): ErrorReply {
  const [, field = '', rest = ''] = /^'([\w.]+)' (.*)$/s.exec(error.message) ?? [];
  const labels = fieldLabels[method] ?? {};
  if (!Object.hasOwn(labels, field)) return error;
  return { ...error, message: `“${labels[field]!}” ${rest}` };
}
