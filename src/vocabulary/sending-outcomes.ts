/** How deliveries of webhooks end. SKIPPED: not sent, because by then it no longer should be (EVT-21). */
export const deliveryOutcomes = ['DELIVERED', 'FAILED', 'SKIPPED'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

/** How attempts to send a mail go. `kept`: as a file, where there is no mail server. */
export const mailOutcomes = ['sent', 'kept', 'delayed', 'failed'] as const
export type MailOutcome = (typeof mailOutcomes)[number]
