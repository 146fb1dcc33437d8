/** The service's own variables in every export; addresses of sandbox and listener where nobody chose others. */
export const usualValues: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:4010',
  callback_url: 'http://127.0.0.1:4020/',
  consumer_key: '',
  consumer_secret: '',
  private_key: '',
};
