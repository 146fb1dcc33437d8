import type { EnvironmentSetup, ServiceProfile } from './environment-setup';

/** The service as the interface and our assumption on its token call (A1) have it. */
export const usualProfile: ServiceProfile = {
  tokenPath: '/auth/v1/token',
  requestNames: { consumerKey: 'consumer_key', consumerSecret: 'consumer_secret', product: 'product' },
  answerNames: { accessToken: 'access_token', expiresIn: 'expires_in' },
  expiresInUnit: 'seconds',
  credentials: 'shared',
  webhookStates: {},
};

/** An environment of which nothing is said but where it is. */
export const usualSetup: EnvironmentSetup = {
  pathForm: 'as_written',
  proxyUrl: '',
  proxyUser: '',
  ca: '',
  clientCertificate: '',
  profile: usualProfile,
};
