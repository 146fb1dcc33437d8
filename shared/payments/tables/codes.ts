/** One application code of the error envelope. */
export interface CodeRow {
  readonly code: string;
  readonly status: string;
  readonly httpStatus: number;
  readonly meaning: string;
  /** What `data` holds: nothing (`null`), an empty object, or the list of field errors. */
  readonly data: 'null' | 'empty' | 'field_errors';
}

/** Codes of the error envelope. @source payments-service-interface, part 7.1; for 404 assumption A5 */
export const errorCodes = {
  validation: {
    code: '400.100',
    status: 'REJECTED',
    httpStatus: 400,
    meaning: 'Validation failed',
    data: 'field_errors',
  },
  authentication: {
    code: '400.200',
    status: 'REJECTED',
    httpStatus: 401,
    meaning: 'Failed authentication',
    data: 'null',
  },
  authorization: {
    code: '403.300',
    status: 'REJECTED',
    httpStatus: 403,
    meaning: 'Failed authorization',
    data: 'null',
  },
  internal: {
    code: '400.500',
    status: 'FAILED',
    httpStatus: 500,
    meaning: 'Internal server error',
    data: 'null',
  },
  token: {
    code: '400.001.100',
    status: 'REJECTED',
    httpStatus: 401,
    meaning: 'Invalid or expired token',
    data: 'empty',
  },
  not_found: {
    code: '404.001.000',
    status: 'REJECTED',
    httpStatus: 404,
    meaning: 'Requested resource not found',
    data: 'empty',
  },
} as const satisfies Record<string, CodeRow>;

/** `status` and `code` of initiation answers, with the HTTP status. @source parts 2.3 and 4.1; assumption A4 */
export const initiationOutcomes = {
  accepted: { status: '200.100', code: 'ACCEPTED', httpStatus: 201 },
  /** The form of the accepted example of 4.1; answered where the sandbox is set so. */
  acceptedOtherForm: { status: 'ACCEPTED', code: '100', httpStatus: 201 },
  duplicate: { status: '200.100', code: 'REJECTED', httpStatus: 200 },
  rejected: { status: '400.100', code: 'REJECTED', httpStatus: 400 },
} as const;

/** The answer of a status query that finds nothing. @source parts 4.3 and 7.4; assumption A5 */
export const unknownPayment = { code: '404.001.000', status: 'NOT_FOUND', httpStatus: 404 } as const;
