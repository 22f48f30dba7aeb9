<?php
// Sends WordPress's mail through Postern. docs/recipes.md has the constants for wp-config.php.
add_action('phpmailer_init', function ($mail) {
    $mail->isSMTP();
    $mail->Host = POSTERN_SMTP_HOST;
    $mail->Port = 587;
    $mail->SMTPSecure = 'tls'; // STARTTLS
    $mail->SMTPAuth = true;
    $mail->Username = 'service';
    $mail->Password = POSTERN_API_KEY;
});
add_filter('wp_mail_from', fn () => POSTERN_FROM);
add_filter('wp_mail_from_name', fn () => POSTERN_FROM_NAME);
