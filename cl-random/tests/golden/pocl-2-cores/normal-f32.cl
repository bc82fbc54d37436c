// Program 1 of 1, built with `-w -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info`.
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL_NUMBER 0
#define INDEX uint
#define SIGNED_INDEX int
#define GROUP 1
#define PACK 16
#define PACKS 4
#define CHUNKED 1
#define STREAM 0
#define INDEX_PACK uint16
#define LANES ((INDEX_PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define FAULT_PARAMETER
#define FAULT_ARGUMENT
#define PARAMETERS const uint s0, const uint s1, const uint s2, const uint s3, const uint s4, const uint s5,
#define ARGUMENTS s0, s1, s2, s3, s4, s5,
#define OUTPUTS global float *restrict out0,
#define OUTPUT_ARGUMENTS out0,
typedef struct {
    uint field__0;
    uint field__1;
    uint field__2;
    uint field__3;
} tuple4_u32_u32_u32_u32_2fbce689;
typedef struct {
    float field__0;
    float field__1;
} tuple2_f32_f32_a83ecc48;
typedef struct {
    uint field__0;
    uint field__1;
} tuple2_u32_u32_e29caece;
static inline tuple2_u32_u32_e29caece product32_b115140f17343fd7(uint local_x_0, uint local_multiplier_1)
{
    ulong local_product_2 = (((ulong)local_x_0) * ((ulong)local_multiplier_1));
    return ((tuple2_u32_u32_e29caece){((uint)((ulong)(local_product_2 >> ((uint)32 & 63)))), ((uint)local_product_2)});
}
static inline tuple4_u32_u32_u32_u32_2fbce689 philox4x32_c38a059a27b634fe(uint local_c0_0, uint local_c1_1, uint local_c2_2, uint local_c3_3, uint local_k0_4, uint local_k1_5)
{
    uint local_x0_6 = local_c0_0;
    uint local_x1_7 = local_c1_1;
    uint local_x2_8 = local_c2_2;
    uint local_x3_9 = local_c3_3;
    if (10u > 0u) {
        uint local_key0_10 = (local_k0_4 + (2654435769u * 0u));
        uint local_key1_11 = (local_k1_5 + (3144134277u * 0u));
        const tuple2_u32_u32_e29caece t1 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_12 = t1.field__0;
        uint local_low0_13 = t1.field__1;
        const tuple2_u32_u32_e29caece t2 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_14 = t2.field__0;
        uint local_low1_15 = t2.field__1;
        local_x0_6 = ((local_high1_14 ^ local_x1_7) ^ local_key0_10);
        local_x1_7 = local_low1_15;
        local_x2_8 = ((local_high0_12 ^ local_x3_9) ^ local_key1_11);
        local_x3_9 = local_low0_13;
    }
    if (10u > 1u) {
        uint local_key0_16 = (local_k0_4 + (2654435769u * 1u));
        uint local_key1_17 = (local_k1_5 + (3144134277u * 1u));
        const tuple2_u32_u32_e29caece t3 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_18 = t3.field__0;
        uint local_low0_19 = t3.field__1;
        const tuple2_u32_u32_e29caece t4 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_20 = t4.field__0;
        uint local_low1_21 = t4.field__1;
        local_x0_6 = ((local_high1_20 ^ local_x1_7) ^ local_key0_16);
        local_x1_7 = local_low1_21;
        local_x2_8 = ((local_high0_18 ^ local_x3_9) ^ local_key1_17);
        local_x3_9 = local_low0_19;
    }
    if (10u > 2u) {
        uint local_key0_22 = (local_k0_4 + (2654435769u * 2u));
        uint local_key1_23 = (local_k1_5 + (3144134277u * 2u));
        const tuple2_u32_u32_e29caece t5 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_24 = t5.field__0;
        uint local_low0_25 = t5.field__1;
        const tuple2_u32_u32_e29caece t6 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_26 = t6.field__0;
        uint local_low1_27 = t6.field__1;
        local_x0_6 = ((local_high1_26 ^ local_x1_7) ^ local_key0_22);
        local_x1_7 = local_low1_27;
        local_x2_8 = ((local_high0_24 ^ local_x3_9) ^ local_key1_23);
        local_x3_9 = local_low0_25;
    }
    if (10u > 3u) {
        uint local_key0_28 = (local_k0_4 + (2654435769u * 3u));
        uint local_key1_29 = (local_k1_5 + (3144134277u * 3u));
        const tuple2_u32_u32_e29caece t7 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_30 = t7.field__0;
        uint local_low0_31 = t7.field__1;
        const tuple2_u32_u32_e29caece t8 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_32 = t8.field__0;
        uint local_low1_33 = t8.field__1;
        local_x0_6 = ((local_high1_32 ^ local_x1_7) ^ local_key0_28);
        local_x1_7 = local_low1_33;
        local_x2_8 = ((local_high0_30 ^ local_x3_9) ^ local_key1_29);
        local_x3_9 = local_low0_31;
    }
    if (10u > 4u) {
        uint local_key0_34 = (local_k0_4 + (2654435769u * 4u));
        uint local_key1_35 = (local_k1_5 + (3144134277u * 4u));
        const tuple2_u32_u32_e29caece t9 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_36 = t9.field__0;
        uint local_low0_37 = t9.field__1;
        const tuple2_u32_u32_e29caece t10 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_38 = t10.field__0;
        uint local_low1_39 = t10.field__1;
        local_x0_6 = ((local_high1_38 ^ local_x1_7) ^ local_key0_34);
        local_x1_7 = local_low1_39;
        local_x2_8 = ((local_high0_36 ^ local_x3_9) ^ local_key1_35);
        local_x3_9 = local_low0_37;
    }
    if (10u > 5u) {
        uint local_key0_40 = (local_k0_4 + (2654435769u * 5u));
        uint local_key1_41 = (local_k1_5 + (3144134277u * 5u));
        const tuple2_u32_u32_e29caece t11 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_42 = t11.field__0;
        uint local_low0_43 = t11.field__1;
        const tuple2_u32_u32_e29caece t12 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_44 = t12.field__0;
        uint local_low1_45 = t12.field__1;
        local_x0_6 = ((local_high1_44 ^ local_x1_7) ^ local_key0_40);
        local_x1_7 = local_low1_45;
        local_x2_8 = ((local_high0_42 ^ local_x3_9) ^ local_key1_41);
        local_x3_9 = local_low0_43;
    }
    if (10u > 6u) {
        uint local_key0_46 = (local_k0_4 + (2654435769u * 6u));
        uint local_key1_47 = (local_k1_5 + (3144134277u * 6u));
        const tuple2_u32_u32_e29caece t13 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_48 = t13.field__0;
        uint local_low0_49 = t13.field__1;
        const tuple2_u32_u32_e29caece t14 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_50 = t14.field__0;
        uint local_low1_51 = t14.field__1;
        local_x0_6 = ((local_high1_50 ^ local_x1_7) ^ local_key0_46);
        local_x1_7 = local_low1_51;
        local_x2_8 = ((local_high0_48 ^ local_x3_9) ^ local_key1_47);
        local_x3_9 = local_low0_49;
    }
    if (10u > 7u) {
        uint local_key0_52 = (local_k0_4 + (2654435769u * 7u));
        uint local_key1_53 = (local_k1_5 + (3144134277u * 7u));
        const tuple2_u32_u32_e29caece t15 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_54 = t15.field__0;
        uint local_low0_55 = t15.field__1;
        const tuple2_u32_u32_e29caece t16 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_56 = t16.field__0;
        uint local_low1_57 = t16.field__1;
        local_x0_6 = ((local_high1_56 ^ local_x1_7) ^ local_key0_52);
        local_x1_7 = local_low1_57;
        local_x2_8 = ((local_high0_54 ^ local_x3_9) ^ local_key1_53);
        local_x3_9 = local_low0_55;
    }
    if (10u > 8u) {
        uint local_key0_58 = (local_k0_4 + (2654435769u * 8u));
        uint local_key1_59 = (local_k1_5 + (3144134277u * 8u));
        const tuple2_u32_u32_e29caece t17 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_60 = t17.field__0;
        uint local_low0_61 = t17.field__1;
        const tuple2_u32_u32_e29caece t18 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_62 = t18.field__0;
        uint local_low1_63 = t18.field__1;
        local_x0_6 = ((local_high1_62 ^ local_x1_7) ^ local_key0_58);
        local_x1_7 = local_low1_63;
        local_x2_8 = ((local_high0_60 ^ local_x3_9) ^ local_key1_59);
        local_x3_9 = local_low0_61;
    }
    if (10u > 9u) {
        uint local_key0_64 = (local_k0_4 + (2654435769u * 9u));
        uint local_key1_65 = (local_k1_5 + (3144134277u * 9u));
        const tuple2_u32_u32_e29caece t19 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_66 = t19.field__0;
        uint local_low0_67 = t19.field__1;
        const tuple2_u32_u32_e29caece t20 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_68 = t20.field__0;
        uint local_low1_69 = t20.field__1;
        local_x0_6 = ((local_high1_68 ^ local_x1_7) ^ local_key0_64);
        local_x1_7 = local_low1_69;
        local_x2_8 = ((local_high0_66 ^ local_x3_9) ^ local_key1_65);
        local_x3_9 = local_low0_67;
    }
    if (10u > 10u) {
        uint local_key0_70 = (local_k0_4 + (2654435769u * 10u));
        uint local_key1_71 = (local_k1_5 + (3144134277u * 10u));
        const tuple2_u32_u32_e29caece t21 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_72 = t21.field__0;
        uint local_low0_73 = t21.field__1;
        const tuple2_u32_u32_e29caece t22 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_74 = t22.field__0;
        uint local_low1_75 = t22.field__1;
        local_x0_6 = ((local_high1_74 ^ local_x1_7) ^ local_key0_70);
        local_x1_7 = local_low1_75;
        local_x2_8 = ((local_high0_72 ^ local_x3_9) ^ local_key1_71);
        local_x3_9 = local_low0_73;
    }
    if (10u > 11u) {
        uint local_key0_76 = (local_k0_4 + (2654435769u * 11u));
        uint local_key1_77 = (local_k1_5 + (3144134277u * 11u));
        const tuple2_u32_u32_e29caece t23 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_78 = t23.field__0;
        uint local_low0_79 = t23.field__1;
        const tuple2_u32_u32_e29caece t24 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_80 = t24.field__0;
        uint local_low1_81 = t24.field__1;
        local_x0_6 = ((local_high1_80 ^ local_x1_7) ^ local_key0_76);
        local_x1_7 = local_low1_81;
        local_x2_8 = ((local_high0_78 ^ local_x3_9) ^ local_key1_77);
        local_x3_9 = local_low0_79;
    }
    if (10u > 12u) {
        uint local_key0_82 = (local_k0_4 + (2654435769u * 12u));
        uint local_key1_83 = (local_k1_5 + (3144134277u * 12u));
        const tuple2_u32_u32_e29caece t25 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_84 = t25.field__0;
        uint local_low0_85 = t25.field__1;
        const tuple2_u32_u32_e29caece t26 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_86 = t26.field__0;
        uint local_low1_87 = t26.field__1;
        local_x0_6 = ((local_high1_86 ^ local_x1_7) ^ local_key0_82);
        local_x1_7 = local_low1_87;
        local_x2_8 = ((local_high0_84 ^ local_x3_9) ^ local_key1_83);
        local_x3_9 = local_low0_85;
    }
    if (10u > 13u) {
        uint local_key0_88 = (local_k0_4 + (2654435769u * 13u));
        uint local_key1_89 = (local_k1_5 + (3144134277u * 13u));
        const tuple2_u32_u32_e29caece t27 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_90 = t27.field__0;
        uint local_low0_91 = t27.field__1;
        const tuple2_u32_u32_e29caece t28 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_92 = t28.field__0;
        uint local_low1_93 = t28.field__1;
        local_x0_6 = ((local_high1_92 ^ local_x1_7) ^ local_key0_88);
        local_x1_7 = local_low1_93;
        local_x2_8 = ((local_high0_90 ^ local_x3_9) ^ local_key1_89);
        local_x3_9 = local_low0_91;
    }
    if (10u > 14u) {
        uint local_key0_94 = (local_k0_4 + (2654435769u * 14u));
        uint local_key1_95 = (local_k1_5 + (3144134277u * 14u));
        const tuple2_u32_u32_e29caece t29 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_96 = t29.field__0;
        uint local_low0_97 = t29.field__1;
        const tuple2_u32_u32_e29caece t30 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_98 = t30.field__0;
        uint local_low1_99 = t30.field__1;
        local_x0_6 = ((local_high1_98 ^ local_x1_7) ^ local_key0_94);
        local_x1_7 = local_low1_99;
        local_x2_8 = ((local_high0_96 ^ local_x3_9) ^ local_key1_95);
        local_x3_9 = local_low0_97;
    }
    if (10u > 15u) {
        uint local_key0_100 = (local_k0_4 + (2654435769u * 15u));
        uint local_key1_101 = (local_k1_5 + (3144134277u * 15u));
        const tuple2_u32_u32_e29caece t31 = product32_b115140f17343fd7(local_x0_6, 3528531795u);
        uint local_high0_102 = t31.field__0;
        uint local_low0_103 = t31.field__1;
        const tuple2_u32_u32_e29caece t32 = product32_b115140f17343fd7(local_x2_8, 3449720151u);
        uint local_high1_104 = t32.field__0;
        uint local_low1_105 = t32.field__1;
        local_x0_6 = ((local_high1_104 ^ local_x1_7) ^ local_key0_100);
        local_x1_7 = local_low1_105;
        local_x2_8 = ((local_high0_102 ^ local_x3_9) ^ local_key1_101);
        local_x3_9 = local_low0_103;
    }
    return ((tuple4_u32_u32_u32_u32_2fbce689){local_x0_6, local_x1_7, local_x2_8, local_x3_9});
}
static inline float sine_of_pi_81a92e6839c38367(float local_t_0)
{
    float local_z_1 = (local_t_0 * local_t_0);
    float local_p_2 = 0.07765591f;
    local_p_2 = fma(local_z_1, local_p_2, (-0.5982904f));
    local_p_2 = fma(local_z_1, local_p_2, 2.5500774f);
    local_p_2 = fma(local_z_1, local_p_2, (-5.1677103f));
    local_p_2 = fma(local_z_1, local_p_2, 3.1415927f);
    return (local_t_0 * local_p_2);
}
static inline tuple2_f32_f32_a83ecc48 half_circle_9b08475573efb169(uint local_turn_0)
{
    float local_t_1 = (((float)((int)(local_turn_0 << ((uint)1 & 31)))) * 2.3283064e-10f);
    return ((tuple2_f32_f32_a83ecc48){sine_of_pi_81a92e6839c38367((0.5f - fabs(local_t_1))), sine_of_pi_81a92e6839c38367(local_t_1)});
}
static inline float square_of_radius_f32_5fde0147fcc5c2d4(uint local_word_0)
{
    float local_u_1 = fma(((float)local_word_0), 2.3283063e-10f, 1.1641532e-10f);
    uint local_exponent_2 = ((as_uint(local_u_1) - 1060439283u) & 4286578688u);
    float local_f_3 = (as_float((as_uint(local_u_1) - local_exponent_2)) - 1.0f);
    float local_p_4 = (-0.17066626f);
    local_p_4 = fma(local_f_3, local_p_4, 0.28538516f);
    local_p_4 = fma(local_f_3, local_p_4, (-0.29954803f));
    local_p_4 = fma(local_f_3, local_p_4, 0.33155987f);
    local_p_4 = fma(local_f_3, local_p_4, (-0.39911866f));
    local_p_4 = fma(local_f_3, local_p_4, 0.50002706f);
    local_p_4 = fma(local_f_3, local_p_4, (-0.66668385f));
    local_p_4 = fma(local_f_3, local_p_4, 0.99999994f);
    local_p_4 = fma(local_f_3, local_p_4, (-2.0f));
    return fma(((float)((int)local_exponent_2)), (-1.6525915e-7f), (local_f_3 * local_p_4));
}
static inline float sqrt_normal_f32_548d6d2cc25c4009(float x)
{
#ifdef cl_nv_pragma_unroll
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float root = x * inverse;
    return fma(fma(-root, root, x), 0.5f * inverse, root);
#else
    return sqrt(x);
#endif
}
static inline tuple2_f32_f32_a83ecc48 normals_f32_fb9da0630a6cee52(uint local_a_0, uint local_b_1)
{
    const tuple2_f32_f32_a83ecc48 t1 = half_circle_9b08475573efb169(local_b_1);
    float local_cosine_2 = t1.field__0;
    float local_sine_3 = t1.field__1;
    float local_radius_4 = as_float((as_uint(sqrt_normal_f32_548d6d2cc25c4009(square_of_radius_f32_5fde0147fcc5c2d4(local_a_0))) ^ (local_b_1 & 2147483648u)));
    return ((tuple2_f32_f32_a83ecc48){(local_radius_4 * local_cosine_2), (local_radius_4 * local_sine_3)});
}
#define TILE_PACKS (GROUP * PACKS)
#define TILE ((INDEX)TILE_PACKS * PACK)
#define CUT(count, group) ((INDEX)((ulong)(count) * (group) / get_num_groups(0)))
#if CHUNKED
#define FOR_EACH_TILE(tile, count) \
    for (INDEX tile = CUT(count, get_group_id(0)), last_ = CUT(count, get_group_id(0) + 1); tile < last_; ++tile)
#else
#define FOR_EACH_TILE(tile, count) for (INDEX tile = get_group_id(0); tile < (count); tile += get_num_groups(0))
#endif
#define PUT_PACK(place, pack) *(place) = (pack)
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if STREAM && __has_builtin(__builtin_nontemporal_store)
#define STREAM_PACK(place, pack) __builtin_nontemporal_store(pack, place)
#else
#define STREAM_PACK PUT_PACK
#endif
typedef struct { float part0; float part1; float part2; float part3; } flat21_group;
static inline __attribute__((always_inline)) void flat21_at(PARAMETERS const INDEX v1, private flat21_group *group)
{
    const uint v2 = (uint)(v1);
    const uint v3 = s0;
    const uint v4 = v2 + v3;
    const uint v5 = s1;
    const uint v6 = s2;
    const uint v7 = s3;
    const uint v8 = s4;
    const uint v9 = s5;
    const tuple4_u32_u32_u32_u32_2fbce689 v10 = philox4x32_c38a059a27b634fe(v4, v5, v6, v7, v8, v9);
    const uint v11 = v10.field__0;
    const uint v12 = v10.field__1;
    const uint v13 = v10.field__2;
    const uint v14 = v10.field__3;
    const tuple2_f32_f32_a83ecc48 v15 = normals_f32_fb9da0630a6cee52(v11, v12);
    const float v16 = v15.field__0;
    const float v17 = v15.field__1;
    const tuple2_f32_f32_a83ecc48 v18 = normals_f32_fb9da0630a6cee52(v13, v14);
    const float v19 = v18.field__0;
    const float v20 = v18.field__1;
    group->part0 = v16;
    group->part1 = v17;
    group->part2 = v19;
    group->part3 = v20;
}
static inline float flat21_item(PARAMETERS const INDEX i)
{
    flat21_group group;
    flat21_at(ARGUMENTS i / 4, &group);
    const uint part = (uint)(i % 4);
    return part == 0 ? group.part0 : part == 1 ? group.part1 : part == 2 ? group.part2 : group.part3;
}
static inline float16 flat21_pack(PARAMETERS const INDEX p)
{
    union { float16 pack; float item[PACK]; } all;
#if !CHUNKED
#pragma unroll
#endif
    for (uint k = 0; k < 4; ++k) {
        flat21_group group;
        flat21_at(ARGUMENTS p * 4 + k, &group);
        all.item[k * 4 + 0] = group.part0;
        all.item[k * 4 + 1] = group.part1;
        all.item[k * 4 + 2] = group.part2;
        all.item[k * 4 + 3] = group.part3;
    }
    return all.pack;
}
#define ITEM float
#define PACK_ITEM float16
#define STORED float
#define LOAD(i) item_at(ARGUMENTS i)
#define LOAD_PACK(p) pack_at(ARGUMENTS p)
#define UNPACK(pack, items) unpack_items(pack, items)
#define PACKED(items) packed_items(items)
static inline void unpack_items(const PACK_ITEM pack, ITEM *items)
{
    const union { float16 pack; float item[PACK]; } pack0 = { .pack = pack };
#pragma unroll
    for (uint k = 0; k < PACK; ++k)
        items[k] = pack0.item[k];
}
static inline PACK_ITEM packed_items(const ITEM *items)
{
    union { float16 pack; float item[PACK]; } r0;
#pragma unroll
    for (uint k = 0; k < PACK; ++k) {
        const ITEM result = items[k];
        r0.item[k] = result;
    }
    return r0.pack;
}
#define LANE lane_of
static inline ITEM lane_of(const PACK_ITEM pack, const uint k)
{
    const union { float16 pack; float item[PACK]; } pack0 = { .pack = pack };
    return pack0.item[k];
}
static inline ITEM item_at(PARAMETERS const INDEX i)
{
    const INDEX v0 = i;
    const float v21 = flat21_item(ARGUMENTS v0);
    return v21;
}
static inline PACK_ITEM pack_at(PARAMETERS const size_t p)
{
    const INDEX i = p;
    const INDEX_PACK v0 = (INDEX_PACK)(i * PACK) + LANES;
    const float16 v21 = flat21_pack(ARGUMENTS i);
    return v21;
}
#define STORE_TO out0
#define STORE(i, item) store_item(ARGUMENTS OUTPUT_ARGUMENTS i, item)
#define STORE_PACK(p, pack) store_pack(ARGUMENTS OUTPUT_ARGUMENTS p, pack)
static inline void store_item(PARAMETERS OUTPUTS const INDEX i, const ITEM item)
{
    const float v22 = item;
    out0[i] = v22;
}
static inline void store_pack(PARAMETERS OUTPUTS const size_t p, const PACK_ITEM item)
{
    const INDEX i = p;
    const float16 v22 = item;
    STREAM_PACK((global float16 *)out0 + p, v22);
}
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assign(PARAMETERS OUTPUTS const INDEX begin, const INDEX length)
{
    const INDEX end = begin + length;
    const INDEX tiles = (length + TILE - 1) / TILE;
    const INDEX full = begin % PACK == 0 ? length / TILE : 0;
    FOR_EACH_TILE(tile, tiles) {
        if (tile < full) {
            const INDEX first = begin / PACK + tile * TILE_PACKS + get_local_id(0);
            PACK_ITEM value[PACKS];
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                value[k] = LOAD_PACK(first + k * GROUP);
#pragma unroll
            for (uint k = 0; k < PACKS; ++k)
                STORE_PACK(first + k * GROUP, value[k]);
        } else {
            for (INDEX i = begin + tile * TILE + get_local_id(0); i < end && i < begin + (tile + 1) * TILE; i += GROUP)
                STORE(i, LOAD(i));
        }
    }
}
