import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Verify {
    private static final Pattern TIME = Pattern.compile("(?:^|,)t=(\\d{1,12})(?:,|$)");
    private static final Pattern SIGNATURE = Pattern.compile("(?:^|,)v1=([0-9a-f]{64})(?=,|$)");

    /** Whether these bytes are a delivery of ours. The header is Platform-Signature; the secret is used as it stands. */
    static boolean verify(byte[] body, String header, String secret, Instant now) throws GeneralSecurityException {
        var time = TIME.matcher(header);
        if (!time.find()) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(time.group(1))) > 300) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((time.group(1) + ".").getBytes(StandardCharsets.UTF_8));
        var expected = mac.doFinal(body);
        return SIGNATURE.matcher(header).results()
            .anyMatch(signature -> MessageDigest.isEqual(expected, HexFormat.of().parseHex(signature.group(1))));
    }
}
